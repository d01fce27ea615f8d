import { useCallback, useRef, useState } from "preact/hooks";

/** A double click is two clicks within this time; the second must not act again even if the first is already done. */
const DOUBLE_CLICK_MS = 500;

/**
 * Runs one action at a time. While one runs, and for the length of a double click after its start, further
 * requests are dropped.
 */
export function useSingleFlight(pause = DOUBLE_CLICK_MS): [boolean, (action: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  const locked = useRef(false);
  const run = useCallback(
    async (action: () => Promise<void>) => {
      if (locked.current) return;
      locked.current = true;
      setBusy(true);
      const earliest = new Promise((resolve) => setTimeout(resolve, pause));
      try {
        await action();
      } finally {
        setBusy(false);
        void earliest.then(() => (locked.current = false));
      }
    },
    [pause],
  );
  return [busy, run];
}
