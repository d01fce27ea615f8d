import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Loaded } from "./load";

/** Folded at first; what is inside is asked for when somebody opens it. */
export function Fold({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
      <summary>
        {title}
        <svg class="fold-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path d="M6 9l6 6 6-6" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
      </summary>
      {open && <div class="fold-inside">{children}</div>}
    </details>
  );
}

interface FoldStateProps {
  state: Loaded<unknown>;
  retry: () => void;
  /** What to say about an error. */
  textOf: (error: unknown) => string;
}

/** What stands inside a fold while its content is not there. */
export function FoldState({ state, retry, textOf }: FoldStateProps): JSX.Element {
  if (state.kind !== "failed") {
    return (
      <p class="note fold-wait" role="status">
        読み込んでいます…
      </p>
    );
  }
  return (
    <div class="say say-warn" role="alert">
      <p>{textOf(state.error)}</p>
      <button type="button" class="button button-small" onClick={retry}>
        もう一度試す
      </button>
    </div>
  );
}
