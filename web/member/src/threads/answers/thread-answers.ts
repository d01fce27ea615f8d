import type { AnswerKind } from "../../answers/outbox";
import type { Sender, SendState } from "../../answers/sender";
import type { ThreadAnswerBody, ThreadReceipt } from "../shapes";

/** ○ for the selected slots, △ for the maybe ones, × for all others. */
export interface ThreadAnswer {
  selected_slot_ids: string[];
  maybe_slot_ids: string[];
  comment: string | null;
}

export type ThreadSender = Sender<string, ThreadAnswer, ThreadReceipt>;
export type ThreadSendState = SendState<ThreadAnswer>;

export const THREAD_ANSWERS: AnswerKind<string, ThreadAnswer> = {
  name: "thread-answer",
  idOf: String,
  read: ({ selected_slot_ids, maybe_slot_ids, comment = null }) =>
    isTexts(selected_slot_ids) && isTexts(maybe_slot_ids) ? { selected_slot_ids, maybe_slot_ids, comment } : null,
};

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Nobody who can come on no day has to say so in another way: × everywhere is a refusal. */
export function bodyOf({ selected_slot_ids, maybe_slot_ids, comment }: ThreadAnswer): ThreadAnswerBody {
  if (selected_slot_ids.length + maybe_slot_ids.length === 0) return { status: "declined", comment };
  return { status: "selected", selected_slot_ids, maybe_slot_ids, comment };
}

export function sameAnswer(a: ThreadAnswer, b: ThreadAnswer): boolean {
  const text = ({ selected_slot_ids, maybe_slot_ids, comment }: ThreadAnswer) =>
    JSON.stringify([[...selected_slot_ids].sort(), [...maybe_slot_ids].sort(), comment || null]);
  return text(a) === text(b);
}
