import type { EventDetail } from "../shapes";

type Times = Pick<EventDetail, "cancelled" | "over" | "deadline_at">;

/** Whether there is still something to answer. The server decides in the end; this only decides what is offered. */
export function isOpen(event: Times, now: number = Date.now()): boolean {
  return !event.cancelled && !event.over && !isLate(event, now);
}

export function isLate({ deadline_at }: Pick<Times, "deadline_at">, now: number = Date.now()): boolean {
  return deadline_at !== null && Date.parse(deadline_at) < now;
}
