import type { JSX } from "preact";

/** Says that what stands on the screen may be old or missing, and offers another try. */
export function Outdated({ text, retry }: { text: string; retry: () => void }): JSX.Element {
  return (
    <div class="say say-warn" role="alert">
      <p>{text}</p>
      <button type="button" class="button button-small" onClick={retry}>
        もう一度試す
      </button>
    </div>
  );
}
