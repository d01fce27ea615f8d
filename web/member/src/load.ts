import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/errors";
import { leadToRegister } from "./registration";

export type Loaded<T> =
  | { kind: "loading" }
  /** `old` when it was asked for again and did not come. */
  | { kind: "ready"; value: T; old?: boolean }
  | { kind: "failed"; error: unknown };

/**
 * Asks once when the component appears. What is already there stays on the screen while it is asked for
 * again, and also when that fails: something older is worth more than nothing.
 */
export function useLoad<T>(ask: () => Promise<T>, known: T | null = null): [Loaded<T>, () => void] {
  const [state, setState] = useState<Loaded<T>>(known === null ? { kind: "loading" } : { kind: "ready", value: known });
  const newest = useRef(0);
  const current = useRef(ask);
  current.current = ask;

  const load = useCallback(() => {
    const mine = ++newest.current;
    setState((before) => (before.kind === "ready" ? before : { kind: "loading" }));
    current.current().then(
      (value) => mine === newest.current && setState({ kind: "ready", value }),
      (error: unknown) => {
        if (mine !== newest.current) return;
        if (isNotRegistered(error)) leadToRegister();
        else setState((before) => (before.kind === "ready" ? { ...before, old: true } : { kind: "failed", error }));
      },
    );
  }, []);

  // The question goes out before the placeholder is painted.
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

export function isNotRegistered(error: unknown): boolean {
  return error instanceof ApiError && error.code === "NOT_REGISTERED";
}
