import { tidyLine } from "../../text/one-line";
import type { EventDetail, Status } from "../shapes";

type Field = EventDetail["extra_text"];

/** Whether the field stands on the screen: with `attend_only` it appears once the person comes. */
export function showsMemo(field: Field, status: Status | "pending"): boolean {
  return field.enabled && (!field.attend_only || status === "attend");
}

/** What goes along with an answer: null where the server would ignore it anyway. */
export function memoFor(field: Field, status: Status, typed: string): string | null {
  return showsMemo(field, status) ? tidyLine(typed).trim() || null : null;
}
