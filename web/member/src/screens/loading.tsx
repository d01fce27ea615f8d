import type { JSX } from "preact";
import { Loading as LoadingScreen } from "../../../kit/loading";
import { pathBelowBase } from "../../../kit/router";
import { BackToList } from "../back-to-list";

/** The outline of the screen that the address asks for: below the list, or the list itself. */
export function Loading(): JSX.Element {
  const belowList = /^\/[^/]+\/./.test(pathBelowBase(location.pathname));
  if (!belowList) return <LoadingScreen />;
  return (
    <LoadingScreen back={<BackToList />}>
      <div class="skeleton skeleton-heading" />
      <div class="skeleton skeleton-line" />
      <div class="skeleton skeleton-line" />
      <div class="skeleton skeleton-picture" />
      <div class="skeleton skeleton-row" />
    </LoadingScreen>
  );
}
