// Date and time as the office types them, always meant as Japanese time.

import { formatDate } from "../../../../api/times";

/** Nobody plans further ahead; a year typed wrongly is found here instead of in a calendar. The server's rule. */
const MAX_AHEAD_MS = 366 * 5 * 24 * 60 * 60 * 1000;
const WEEKDAYS = "日月火水木金土";

export type HeldAtError = "REQUIRED" | "INVALID_FORMAT" | "PAST_DATE" | "TOO_FAR";

/** `2027-09-10T19:00:00+09:00`, or null while one of the two is missing or no date. */
export function heldAt(date: string, time: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !/^\d{2}:\d{2}/.test(time)) return null;
  const text = `${date}T${time.slice(0, 5)}:00+09:00`;
  const moment = new Date(text);
  // Some engines roll 31 February over into March instead of refusing it.
  return Number.isNaN(moment.getTime()) || formatDate(moment) !== date.replaceAll("-", "/") ? null : text;
}

export function heldAtError(date: string, time: string, now: Date): HeldAtError | null {
  if (date === "" || time === "") return "REQUIRED";
  const text = heldAt(date, time);
  if (text === null) return "INVALID_FORMAT";
  const moment = Date.parse(text);
  if (moment < Math.floor(now.getTime() / 60_000) * 60_000) return "PAST_DATE";
  return moment > now.getTime() + MAX_AHEAD_MS ? "TOO_FAR" : null;
}

/** `2027年9月10日（金）19:00`: with the day of the week, by which people notice a wrong date. */
export function heldAtText(date: string, time: string): string | null {
  const text = heldAt(date, time || "00:00");
  if (text === null) return null;
  const [year, month, day] = date.split("-").map(Number);
  const weekday = WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()];
  return `${year}年${month}月${day}日（${weekday}）${time.slice(0, 5)}`;
}

/** The first and last day that the date field offers. */
export function offeredDays(now: Date): { min: string; max: string } {
  const day = (moment: Date) => formatDate(moment).replaceAll("/", "-");
  return { min: day(now), max: day(new Date(now.getTime() + MAX_AHEAD_MS)) };
}
