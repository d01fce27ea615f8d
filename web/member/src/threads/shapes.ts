// The shapes of the API that the screens of a thread speak of, by the names people use.
import type { Answer, Body } from "../../../api/shapes";

export type ThreadRow = Answer<"/api/liff/threads">["threads"][number];
export type ThreadDetail = Answer<"/api/liff/threads/{thread_id}">;
export type Slot = ThreadDetail["slots"][number];
/** An answer as the server has it on record. */
export type GivenAnswer = ThreadDetail["selection"];
export type ThreadReceipt = Answer<"/api/liff/threads/{thread_id}/respond", "post">;
export type ThreadAnswerBody = Body<"/api/liff/threads/{thread_id}/respond", "post">;

/** What a person says to one slot. */
export type Mark = NonNullable<Slot["answer"]>;

export const MARKS: Record<Mark, { sign: string; name: string }> = {
  yes: { sign: "○", name: "参加できる" },
  maybe: { sign: "△", name: "調整すれば" },
  no: { sign: "×", name: "できない" },
};
