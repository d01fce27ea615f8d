import type { EventDetail } from "../shapes";

/** Whether there is still something to answer. The server decides in the end; this only decides what is offered. */
export function isOpen({ cancelled, closed }: Pick<EventDetail, "cancelled" | "closed">): boolean {
  return !cancelled && !closed;
}
