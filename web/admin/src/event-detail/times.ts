// Date and time as the office picks them, always meant as Japanese time.
import { endOfDayInJapan, formatDateTime } from "../../../api/times";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEKDAYS = "日月火水木金土";

export interface DayAndTime {
  date: string;
  time: string;
}

/** For the two fields of a form: `2025-09-10` and `19:00`. */
export function dayAndTime(instant: string | Date): DayAndTime {
  const [date = "", time = ""] = formatDateTime(instant).split(" ");
  return { date: date.replaceAll("/", "-"), time };
}

/** `2025-09-10T19:00:00+09:00`, or null while one of the two is missing or no date. */
export function instantOf({ date, time }: DayAndTime, seconds = "00"): string | null {
  const text = `${date}T${time.slice(0, 5)}:${seconds}+09:00`;
  // Some engines roll 31 February over into March instead of refusing it.
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:/.test(text) && dayAndTime(text).date === date ? text : null;
}

/** `2025/09/10 19:00（水）`: people notice a wrong date by the day of the week. */
export function withWeekday(instant: string): string {
  const day = new Date(`${dayAndTime(instant).date}T00:00:00Z`).getUTCDay();
  return `${formatDateTime(instant)}（${WEEKDAYS[day]}）`;
}

/** The start with its weekday and, where the event has one, the end: `2025/09/10 19:00（水）〜20:30`. */
export function periodOf({ held_at, end_at }: { held_at: string; end_at: string | null }): string {
  if (end_at === null) return withWeekday(held_at);
  const sameDay = dayAndTime(held_at).date === dayAndTime(end_at).date;
  return `${withWeekday(held_at)}〜${sameDay ? dayAndTime(end_at).time : withWeekday(end_at)}`;
}

/** How far away an event is, in whole days of the calendar: `あと7日`, `今日`, `終了`. Answers are taken for the whole of its day. */
export function distance(heldAt: string, now: Date): string {
  if (endOfDayInJapan(heldAt) <= now.getTime()) return "終了";
  const midnight = (instant: string | Date) => Date.parse(`${dayAndTime(instant).date}T00:00:00Z`);
  const days = Math.round((midnight(heldAt) - midnight(now)) / DAY_MS);
  return days === 0 ? "今日" : days === 1 ? "明日" : `あと${days}日`;
}

/**
 * The moment to ask the server for. Times are shown to the minute, so a minute means the whole of it: a person shown
 * as answered at 12:00 had answered as of 12:00. Of the running minute only what is past can be asked for.
 */
export function asOfInstant(picked: string, now: Date): string | null {
  const [date = "", time = ""] = picked.split("T");
  const start = instantOf({ date, time });
  if (start === null) return null;
  return Date.parse(start) + MINUTE_MS <= now.getTime() ? instantOf({ date, time }, "59") : start;
}
