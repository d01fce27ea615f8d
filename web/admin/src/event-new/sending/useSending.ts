import { useRef, useState } from "react";
import type { Attempt, Draft } from "../draft/draft";
import type { DraftDesk } from "../draft/useDraft";
import { serverFaults } from "../rules/reasons";
import type { Faults } from "../rules/faults";
import { formOf, isUncertain, type Made, post, sendOnce } from "./send";

interface Sending {
  busy: boolean;
  /** What went wrong that belongs to no field. */
  error: unknown;
  send: (attempt: Attempt) => Promise<void>;
}

interface Outcome {
  onMade: (made: Made) => void;
  onFaults: (faults: Faults) => void;
}

/** Sends the draft, once at a time: a state would still be the old one at the second click of a double click. */
export function useSending(desk: DraftDesk, { onMade, onFaults }: Outcome): Sending {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function attemptNow(draft: Draft, attempt: Attempt): Promise<void> {
    if (!desk.picture) return;
    const form = formOf(draft, desk.picture, attempt);
    try {
      onMade(await sendOnce(() => post(draft.key, form)));
    } catch (failure) {
      if (!isUncertain(failure)) desk.remember(null);
      const faults = serverFaults(failure);
      if (faults === null) setError(failure);
      else onFaults(faults);
    }
  }

  async function send(attempt: Attempt): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    desk.remember(attempt);
    try {
      await attemptNow(desk.draft, attempt);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { busy, error, send };
}
