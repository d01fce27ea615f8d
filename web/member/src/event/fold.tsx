import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Loaded } from "../load";
import { wordsFor } from "../screens/problem";

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

export function FoldState({ state, retry }: { state: Loaded<unknown>; retry: () => void }): JSX.Element {
  if (state.kind !== "failed") {
    return (
      <p class="note fold-wait" role="status">
        読み込んでいます…
      </p>
    );
  }
  return (
    <div class="say say-warn" role="alert">
      <p>{wordsFor(state.error).text}</p>
      <button type="button" class="button button-small" onClick={retry}>
        もう一度試す
      </button>
    </div>
  );
}
