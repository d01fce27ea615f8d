import type { EventDetail, SendResult } from "../event";

export interface DialogProps {
  event: EventDetail;
  /** Closes the dialog and shows the result of the action called `what`. */
  done: (what: string, result: SendResult) => void;
  close: () => void;
}
