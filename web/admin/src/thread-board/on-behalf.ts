import type { Answer as AnswerOf, Body } from "../../../api/shapes";
import { chosenOf, columnHead } from "../threads/slot-times";
import { type Mark, peopleCount } from "../threads/thread";

export type Marks = Record<string, Mark>;
type Answer = Omit<Body<"/api/threads/{thread_id}/answers", "post">, "invitee_key">;

/** The answer as the API takes it; null while there is neither a ○ nor a △ nor a refusal. */
export function wireAnswer(marks: Marks, slotIds: readonly string[], declined: boolean, comment: string): Answer | null {
  const words = comment.trim() === "" ? {} : { comment: comment.trim() };
  if (declined) return { status: "declined", ...words };
  const yes = slotIds.filter((id) => marks[id] === "yes");
  const maybe = slotIds.filter((id) => marks[id] === "maybe");
  if (yes.length + maybe.length === 0) return null;
  return { status: "selected", selected_slot_ids: yes, ...(maybe.length > 0 ? { maybe_slot_ids: maybe } : {}), ...words };
}

type Outcome = AnswerOf<"/api/threads/{thread_id}/answers/preview", "post">;

/** What the button does. An answer that decides tells everybody a date, so the button says so before it is pressed. */
export function recordLabel(outcome: Outcome | undefined): string {
  if (!outcome?.decides) return "代理で回答を記録する";
  const { day, weekday } = columnHead(chosenOf(outcome.decides));
  const told = outcome.told > 0 ? `、${peopleCount(outcome.told)}に知らせます` : "ます";
  return `記録すると${day}（${weekday}）に決まり${told}`;
}
