import { useRef, useState } from "react";
import type { Attempt, Draft } from "../draft/draft";
import type { DraftEditor } from "../draft/useDraft";
import { serverFieldErrors } from "../rules/error-texts";
import type { FieldErrors } from "../rules/field-errors";
import { formOf, isUncertain, type CreatedEvent, postEvent, sendUntilAnswered } from "./send";

interface Sending {
  busy: boolean;
  /** What went wrong that belongs to no field. */
  error: unknown;
  send: (attempt: Attempt) => Promise<void>;
}

interface Outcome {
  onCreated: (made: CreatedEvent) => void;
  onFieldErrors: (errors: FieldErrors) => void;
}

/** Sends the draft, once at a time: a state would still be the old one at the second click of a double click. */
export function useSending(editor: DraftEditor, { onCreated, onFieldErrors }: Outcome): Sending {
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function attemptNow(draft: Draft, attempt: Attempt): Promise<void> {
    if (!editor.picture) return;
    const form = formOf(draft, editor.picture, attempt);
    try {
      onCreated(await sendUntilAnswered(() => postEvent(draft.key, form)));
    } catch (failure) {
      if (!isUncertain(failure)) editor.setAttempt(null);
      const errors = serverFieldErrors(failure);
      if (errors === null) setError(failure);
      else onFieldErrors(errors);
    }
  }

  async function send(attempt: Attempt): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(null);
    editor.setAttempt(attempt);
    try {
      await attemptNow(editor.draft, attempt);
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return { busy, error, send };
}
