import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pathBelowBase } from "../router";
import { Brand } from "./screen";

const HIDDEN_MS = 300;
// The start of the app and the first screen each wait in turn; to the person that is one waiting.
let since = 0;
let until = 0;

/** Stays invisible for 300 ms (in the style sheet): most starts are quicker, and a flash would look like a fault. */
export function Loading(): JSX.Element {
  const [goesOn] = useState(isGoingOn);
  useEffect(
    () => () => {
      until = performance.now();
    },
    [],
  );
  const detail = /^\/events\/./.test(pathBelowBase(location.pathname));
  return (
    <>
      <Brand below={detail} />
      <main class={`screen loading ${goesOn ? "loading-on" : ""}`} aria-busy="true">
        <div role="status">
          <h1 class="sr-only">読み込んでいます</h1>
        </div>
        {detail ? <DetailBones /> : <ListBones />}
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

function ListBones(): JSX.Element {
  return (
    <>
      <div class="bone bone-heading" />
      <div class="bone bone-line" />
      <div class="bone bone-row" />
      <div class="bone bone-row" />
      <div class="bone bone-row" />
    </>
  );
}

function DetailBones(): JSX.Element {
  return (
    <>
      <div class="bone bone-heading" />
      <div class="bone bone-line" />
      <div class="bone bone-line" />
      <div class="bone bone-picture" />
      <div class="bone bone-row" />
    </>
  );
}
