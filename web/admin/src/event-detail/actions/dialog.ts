import type { EventDetail, Told } from "../event";

export interface DialogProps {
  event: EventDetail;
  /** It is decided: says what, closes the dialog and shows the result. */
  done: (what: string, told: Told) => void;
  close: () => void;
}
