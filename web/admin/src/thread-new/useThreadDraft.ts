import { useCallback, useEffect, useState } from "react";
import { changed, type DraftFields, isBlank, newDraft, type ThreadDraft } from "./draft";
import { forgetDraft, loadDraft, saveDraft } from "./store";

export interface ThreadEditor {
  draft: ThreadDraft;
  /** Whether this is the continuation of an earlier visit. */
  resumed: boolean;
  change: (fields: Partial<DraftFields>) => void;
  /** It is being sent with its key. */
  attempt: () => void;
  discard: () => void;
  /** The draft has become a thread: nothing of it stays stored, while the screen keeps it until it is left. */
  finish: () => void;
}

export function useThreadDraft(username: string): ThreadEditor {
  const [draft, setDraft] = useState<ThreadDraft>(() => loadDraft(username) ?? newDraft());
  const [resumed, setResumed] = useState(() => !isBlank(draft));
  const [finished, setFinished] = useState(false);
  useEffect(() => {
    if (finished) return;
    if (isBlank(draft)) forgetDraft(username);
    else saveDraft(username, draft);
  }, [username, draft, finished]);
  const change = useCallback((fields: Partial<DraftFields>) => setDraft((before) => changed(before, fields)), []);
  const attempt = useCallback(() => setDraft((before) => ({ ...before, attempted: true })), []);
  const discard = useCallback(() => {
    setDraft(newDraft());
    setResumed(false);
    forgetDraft(username);
  }, [username]);
  const finish = useCallback(() => {
    setFinished(true);
    forgetDraft(username);
  }, [username]);
  return { draft, resumed, change, attempt, discard, finish };
}
