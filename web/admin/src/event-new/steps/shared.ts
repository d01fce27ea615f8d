import type { DraftFields } from "../draft/draft";
import type { DraftDesk } from "../draft/useDraft";
import type { Faults } from "../rules/faults";

/** What every step is given. */
export interface StepProps {
  desk: DraftDesk;
  change: (fields: Partial<DraftFields>) => void;
  shown: Faults;
  next: () => void;
  back: () => void;
}
