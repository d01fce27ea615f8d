import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Header } from "./screen";

const HIDDEN_MS = 300;
// The start of the app and the first screen each wait in turn; to the person that is one wait.
let since = 0;
let until = 0;

interface LoadingProps {
  /** A `BackLink`, when the screen that is loading will have one. */
  back?: ComponentChildren;
  /** The outline of the screen that is loading: a list, when nothing is said. */
  children?: ComponentChildren;
}

/** Stays invisible for 300 ms (in the style sheet): most starts are quicker, and a flash would look like a fault. */
export function Loading({ back, children = <ListSkeleton /> }: LoadingProps): JSX.Element {
  const [goesOn] = useState(isGoingOn);
  useEffect(
    () => () => {
      until = performance.now();
    },
    [],
  );
  return (
    <>
      <Header back={back} />
      <main class={`screen loading ${goesOn ? "loading-on" : ""}`} aria-busy="true">
        <div role="status">
          <h1 class="sr-only">読み込んでいます</h1>
        </div>
        {children}
        <p class="loading-slow">時間がかかっています。そのままお待ちください。</p>
      </main>
    </>
  );
}

function isGoingOn(): boolean {
  const now = performance.now();
  if (now - until > 100) since = now;
  return now - since > HIDDEN_MS;
}

function ListSkeleton(): JSX.Element {
  return (
    <>
      <div class="skeleton skeleton-heading" />
      <div class="skeleton skeleton-line" />
      <div class="skeleton skeleton-row" />
      <div class="skeleton skeleton-row" />
      <div class="skeleton skeleton-row" />
    </>
  );
}
