import { isDay, isMonth } from "../booking/days";

/** A type of reservation in an address, where the router may have read it as a number or as a text. */
export function typeIn(value: unknown): { type?: number } {
  const id = Number(value);
  return (typeof value === "number" || typeof value === "string") && Number.isInteger(id) && id > 0 ? { type: id } : {};
}

export interface CalendarSearch {
  month?: string;
  type?: number;
}

export function calendarSearch(search: Record<string, unknown>): CalendarSearch {
  return { ...(isMonth(search["month"]) ? { month: search["month"] } : {}), ...typeIn(search["type"]) };
}

export interface DaySearch {
  date?: string;
  type?: number;
}

export function daySearch(search: Record<string, unknown>): DaySearch {
  return { ...(isDay(search["date"]) ? { date: search["date"] } : {}), ...typeIn(search["type"]) };
}

/** How far a plan is: looked at, or made. Without it the form is shown. */
export type PlanStep = "confirm" | "done";

export interface PlanSearch extends DaySearch {
  step?: PlanStep;
}

export function planSearch(search: Record<string, unknown>): PlanSearch {
  const step = search["step"];
  return { ...daySearch(search), ...(step === "confirm" || step === "done" ? { step } : {}) };
}
