// What a person says to each slot, and what of it goes to the server.
import type { GivenAnswer, Mark, Slot, ThreadDetail, ThreadReceipt } from "../shapes";
import type { ThreadAnswer } from "./thread-answers";

/** By slot; a slot without a mark has not been answered. */
export type Marks = Readonly<Record<string, Mark>>;

/** The thread may have been read before an answer was recorded or after the office changed it: the later one counts. */
export function newest({ selection }: ThreadDetail, confirmed: ThreadReceipt | null): GivenAnswer {
  const at = confirmed?.selection.responded_at ?? "";
  return confirmed && at > (selection.responded_at ?? "") ? confirmed.selection : selection;
}

export function openSlots({ slots }: ThreadDetail): Slot[] {
  return slots.filter(({ begun }) => !begun);
}

/** The marks on record. A slot that was added after the answer has none. */
export function marksOf(thread: ThreadDetail, recorded: GivenAnswer): Marks {
  const fromServer = recorded === thread.selection;
  const marks = thread.slots.map((slot) => [slot.slot_id, fromServer ? slot.answer : givenMark(slot, recorded)] as const);
  return Object.fromEntries(marks.filter((each): each is [string, Mark] => each[1] !== null));
}

function givenMark({ slot_id }: Slot, { status, selected_slot_ids, maybe_slot_ids }: GivenAnswer): Mark | null {
  if (status === "pending") return null;
  if (selected_slot_ids.includes(slot_id)) return "yes";
  return maybe_slot_ids.includes(slot_id) ? "maybe" : "no";
}

/** The marks of an answer that is still on its way: it says ×, too. */
export function marksOnTheWay(slots: readonly Slot[], { selected_slot_ids, maybe_slot_ids }: ThreadAnswer): Marks {
  const given = { status: "selected", selected_slot_ids, maybe_slot_ids } as GivenAnswer;
  return Object.fromEntries(slots.map((slot) => [slot.slot_id, givenMark(slot, given) ?? "no"]));
}

/** Only slots that can still be chosen are sent: the server refuses the others. */
export function answerOf(slots: readonly Slot[], marks: Marks, comment: string): ThreadAnswer {
  const marked = (mark: Mark) => slots.map(({ slot_id }) => slot_id).filter((id) => marks[id] === mark);
  return { selected_slot_ids: marked("yes"), maybe_slot_ids: marked("maybe"), comment: comment.trim() || null };
}

export function allMarked(slots: readonly Slot[], mark: Mark): Marks {
  return Object.fromEntries(slots.map(({ slot_id }) => [slot_id, mark]));
}

export function countOpen(slots: readonly Slot[], marks: Marks): number {
  return slots.filter(({ slot_id }) => marks[slot_id] === undefined).length;
}
