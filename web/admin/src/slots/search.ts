import { isDay, isMonth } from "../booking/days";
import type { SlotStatus } from "../booking/shapes";
import { SLOT_STATUS_NAMES } from "../booking/words";

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

/** Which slots of a period are shown; what is left out narrows nothing. */
export interface ManySearch {
  from?: string;
  to?: string;
  type?: number;
  status?: SlotStatus;
  /** The digits of the weekdays: `135` is Monday, Wednesday and Friday. */
  weekdays?: string;
  fromMinute?: number;
  toMinute?: number;
}

export function manySearch(search: Record<string, unknown>): ManySearch {
  const { from, to, status } = search;
  const known = Object.keys(SLOT_STATUS_NAMES).find((name) => name === status) as SlotStatus | undefined;
  // The router reads digits as a number.
  const weekdays = String(search["weekdays"] ?? "");
  return {
    ...(isPlannable(from) ? { from } : {}),
    ...(isPlannable(to) ? { to } : {}),
    ...typeIn(search["type"]),
    ...(known ? { status: known } : {}),
    ...(/^[1-7]{1,6}$/.test(weekdays) ? { weekdays } : {}),
    ...minuteIn("fromMinute", search["fromMinute"]),
    ...minuteIn("toMinute", search["toMinute"]),
  };
}

/** A day on which there can be a slot. While somebody types a year, the field says 0002 and 0020. */
export function isPlannable(value: unknown): value is string {
  return isDay(value) && value >= "2000-01-01" && value <= "2099-12-31";
}

function minuteIn<Name extends string>(name: Name, value: unknown): { [key in Name]?: number } {
  const minute = typeof value === "string" && value === "" ? Number.NaN : Number(value ?? Number.NaN);
  return (Number.isInteger(minute) && minute >= 0 && minute < 1440 ? { [name]: minute } : {}) as { [key in Name]?: number };
}
