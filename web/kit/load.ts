import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export type Loaded<T> =
  | { kind: "loading" }
  /** `old` when it was asked for again and did not come. */
  | { kind: "ready"; value: T; old?: boolean }
  | { kind: "failed"; error: unknown };

interface LoadOptions<T> {
  /** What is known already, so that it is shown at once. */
  known?: T | null;
  /** Returns true when it deals with the error itself, such as by leading to another screen. */
  intercept?: (error: unknown) => boolean;
}

/**
 * Asks once when the component appears. What is already there stays on the screen while it is asked for
 * again, and also when that fails: something older is worth more than nothing.
 */
export function useLoad<T>(ask: () => Promise<T>, { known = null, intercept }: LoadOptions<T> = {}): [Loaded<T>, () => void] {
  const [state, setState] = useState<Loaded<T>>(known === null ? { kind: "loading" } : { kind: "ready", value: known });
  const newest = useRef(0);
  const current = useRef({ ask, intercept });
  current.current = { ask, intercept };

  const load = useCallback(() => {
    const mine = ++newest.current;
    setState((before) => (before.kind === "ready" ? before : { kind: "loading" }));
    current.current.ask().then(
      (value) => mine === newest.current && setState({ kind: "ready", value }),
      (error: unknown) => {
        if (mine !== newest.current || current.current.intercept?.(error)) return;
        setState((before) => (before.kind === "ready" ? { ...before, old: true } : { kind: "failed", error }));
      },
    );
  }, []);

  // The request goes out before the placeholder is painted.
  useLayoutEffect(() => {
    load();
    return () => {
      newest.current = -1;
    };
  }, [load]);
  const lacking = state.kind === "failed" || (state.kind === "ready" && state.old === true);
  useEffect(() => {
    if (!lacking) return;
    addEventListener("online", load);
    return () => removeEventListener("online", load);
  }, [lacking]);
  return [state, load];
}
