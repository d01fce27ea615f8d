import type { DraftFields, ThreadDraft } from "../draft";
import type { Errors } from "../steps-of";
import type { usePeople } from "../usePeople";
import type { ThreadEditor } from "../useThreadDraft";

/** The properties that every step of the form has. */
export interface StepProps {
  editor: ThreadEditor;
  draft: ThreadDraft;
  change: (fields: Partial<DraftFields>) => void;
  /** The errors of this step that are shown. */
  errors: Errors;
  people: ReturnType<typeof usePeople>;
  next: () => void;
  back: () => void;
}
