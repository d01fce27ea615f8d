import type { Body } from "../../../api/shapes";
import type { Mark } from "../threads/thread";

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
