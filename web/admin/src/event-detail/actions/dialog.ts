import type { EventDetail, SendResult } from "../event";

export interface DialogProps {
  event: EventDetail;
  /** It is decided: says what, closes the dialog and shows the result. */
  done: (what: string, result: SendResult) => void;
  close: () => void;
}
