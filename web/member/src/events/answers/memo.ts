import type { EventDetail, Status } from "../shapes";

export const LONGEST_MEMO = 200;
type Field = EventDetail["extra_text"];

/** Whether the field stands on the screen: with `attend_only` it appears once the person comes. */
export function showsMemo(field: Field, status: Status | "pending"): boolean {
  return field.enabled && (!field.attend_only || status === "attend");
}

/** What goes along with an answer: null where the server would ignore it anyway. */
export function memoFor(field: Field, status: Status, typed: string): string | null {
  return showsMemo(field, status) ? tidyMemo(typed).trim() || null : null;
}

/** One line, as the server takes it: pasted line breaks become spaces, and half a character is dropped. */
export function tidyMemo(typed: string): string {
  return typed
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .slice(0, LONGEST_MEMO)
    .replace(/\p{Cs}/gu, "");
}
