import { useCallback, useRef, useState } from "preact/hooks";
import { ApiError } from "../../../api/errors";
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { endNotice } from "../../../kit/router";

export type ActionState = { kind: "idle" } | { kind: "sending" } | { kind: "failed"; error: unknown };

/** Whether the server has decided. Otherwise the same request may go again with the same key. */
export function isDecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status < 500 && error.status !== 429 && error.status !== 401 && error.code !== "IN_FLIGHT";
}

/** One intention of a person: its key stays the same at every try until the server has decided. */
export class Intention {
  private key: string | null = null;

  async carryOut<T>(send: (key: string) => Promise<T>): Promise<T> {
    this.key ??= newIdempotencyKey();
    try {
      const result = await send(this.key);
      this.key = null;
      return result;
    } catch (error) {
      if (isDecided(error)) this.key = null;
      throw error;
    }
  }
}

interface Action {
  state: ActionState;
  /** Does nothing while an earlier tap is on its way. Resolves to whether it succeeded. */
  run: (send: (key: string) => Promise<void>) => Promise<boolean>;
  reset: () => void;
}

export function useAction(): Action {
  const [state, setState] = useState<ActionState>({ kind: "idle" });
  const busy = useRef(false);
  const intention = useRef(new Intention());

  const run = useCallback(async (send: (key: string) => Promise<void>) => {
    if (busy.current) return false;
    busy.current = true;
    setState({ kind: "sending" });
    // What an earlier action left to say is over: somebody who cancels must not read that the time was changed.
    endNotice();
    try {
      await intention.current.carryOut(send);
      setState({ kind: "idle" });
      return true;
    } catch (error) {
      setState({ kind: "failed", error });
      return false;
    } finally {
      busy.current = false;
    }
  }, []);
  const reset = useCallback(() => {
    intention.current = new Intention();
    setState({ kind: "idle" });
  }, []);
  return { state, run, reset };
}
