import type { JSX } from "preact";
import { Brand } from "./screen";

/** Stays invisible for 300 ms (in the style sheet): most starts are quicker, and a flash would look like a fault. */
export function Loading(): JSX.Element {
  return (
    <>
      <Brand />
      <main class="screen loading" aria-busy="true">
        <div role="status">
          <h1 class="sr-only">読み込んでいます</h1>
        </div>
        <div class="bone bone-greeting" />
        <div class="bone bone-card" />
        <p class="loading-slow">時間がかかっています。そのままお待ちください。</p>
      </main>
    </>
  );
}
