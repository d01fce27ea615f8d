import type { DraftFields } from "../draft/draft";
import type { DraftEditor } from "../draft/useDraft";
import type { FieldErrors } from "../rules/field-errors";

/** The properties that every step of the form has. */
export interface StepProps {
  editor: DraftEditor;
  change: (fields: Partial<DraftFields>) => void;
  /** The errors of this step that are shown. */
  errors: FieldErrors;
  next: () => void;
  back: () => void;
}
