import { useEffect, useState } from "preact/hooks";

/** Draws the component again whenever an answer moves on. */
export function useSender<S extends { subscribe: (listener: () => void) => () => void }>(sender: S): S {
  const [, redraw] = useState(0);
  useEffect(() => sender.subscribe(() => redraw((count) => count + 1)), [sender]);
  return sender;
}
