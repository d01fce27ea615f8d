import { useCallback, useEffect, useState } from "react";
import { type Attempt, changed, type Draft, type DraftFields, isBlank, newDraft } from "./draft";
import { loadPicture, type Picture, savePicture } from "./picture-store";
import { forgetDraft, loadDraft, saveDraft } from "./store";

export interface DraftEditor {
  draft: Draft;
  /** `undefined` while it is being fetched from the browser's storage. */
  picture: Picture | null | undefined;
  /** Whether this is the continuation of an earlier visit. */
  resumed: boolean;
  change: (fields: Partial<DraftFields>) => void;
  choosePicture: (picture: Picture | null) => void;
  setAttempt: (attempt: Attempt | null) => void;
  discard: () => void;
  /** The draft has become an event: nothing of it stays stored, while the screen keeps it until it is left. */
  finish: () => void;
}

export function useDraft(username: string): DraftEditor {
  const [draft, setDraft] = useState<Draft>(() => loadDraft(username) ?? newDraft());
  const [resumed, setResumed] = useState(() => !isBlank(draft));
  const [picture, setPicture] = useState<Picture | null>();

  useEffect(() => {
    let current = true;
    void loadPicture(username).then((found) => current && setPicture((chosen) => (chosen === undefined ? found : chosen)));
    return () => {
      current = false;
    };
  }, [username]);

  useEffect(() => {
    if (isBlank(draft) && !picture) forgetDraft(username);
    else saveDraft(username, draft);
  }, [username, draft, picture]);

  // Whatever changes, it is no longer what was sent before; the server then tells the two apart.
  const change = useCallback((fields: Partial<DraftFields>) => setDraft((before) => ({ ...changed(before, fields), attempt: null })), []);
  const setAttempt = useCallback((attempt: Attempt | null) => setDraft((before) => ({ ...before, attempt })), []);
  const choosePicture = useCallback(
    (chosen: Picture | null) => {
      setPicture(chosen);
      setDraft((before) => ({ ...before, attempt: null }));
      void savePicture(username, chosen);
    },
    [username],
  );
  const discard = useCallback(() => {
    setDraft(newDraft());
    setPicture(null);
    setResumed(false);
    forgetDraft(username);
    void savePicture(username, null);
  }, [username]);
  const finish = useCallback(() => {
    forgetDraft(username);
    void savePicture(username, null);
  }, [username]);
  return { draft, picture, resumed, change, choosePicture, setAttempt, discard, finish };
}
