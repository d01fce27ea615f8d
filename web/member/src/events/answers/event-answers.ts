import type { Answer } from "../../../../api/shapes";
import type { AnswerKind } from "../../answers/outbox";
import type { Sender, SendState } from "../../answers/sender";
import type { Status } from "../shapes";

export interface EventAnswer {
  status: Status;
  extra_text: string | null;
}

export type AnswerReceipt = Answer<"/api/liff/events/{event_id}/respond", "post">;
export type EventSender = Sender<number, EventAnswer, AnswerReceipt>;
export type EventSendState = SendState<EventAnswer>;

export const EVENT_ANSWERS: AnswerKind<number, EventAnswer> = {
  name: "answer",
  idOf: Number,
  read: ({ status, extra_text = null }) => (status === "attend" || status === "absent" ? { status, extra_text } : null),
};
