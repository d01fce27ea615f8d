// Calendar days as `YYYY-MM-DD` and times as minutes since midnight, both in Japan. A day has no time zone, so it is
// counted as if it were UTC.
import { formatDate } from "../../api/times";

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEKDAYS = "日月火水木金土";

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The day in Japan at this moment. */
export function today(now: Date = new Date()): string {
  return formatDate(now).replaceAll("/", "-");
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(numberOf(text)) && addDays(text, 0) === text;
}

export function addDays(day: string, count: number): string {
  return new Date(numberOf(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(numberOf(day)).getUTCDay();
}

export function weekdayName(day: string): string {
  return WEEKDAYS[weekdayOf(day)] ?? "";
}

/** The week of a day, from Monday to Sunday. */
export function weekOf(day: string): string[] {
  const monday = addDays(day, -((weekdayOf(day) + 6) % 7));
  return Array.from({ length: 7 }, (_, index) => addDays(monday, index));
}

/** `10月20日（火）`; with the year where it is another one than now. */
export function formatDay(day: string, thisYear: string = today().slice(0, 4)): string {
  const [year, month, date] = day.split("-");
  const prefix = year === thisYear ? "" : `${year}年`;
  return `${prefix}${Number(month)}月${Number(date)}日（${weekdayName(day)}）`;
}

/** `10/20(火)` */
export function formatShortDay(day: string): string {
  return `${Number(day.slice(5, 7))}/${Number(day.slice(8))}(${weekdayName(day)})`;
}

/** `9:05` for 545. */
export function formatMinute(minute: number): string {
  return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
}

export interface Span {
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
}

/** `9:00〜9:30` */
export function formatTimes({ startMinuteOfDay, durationMinutes }: Omit<Span, "serviceDateLocal">): string {
  return `${formatMinute(startMinuteOfDay)}〜${formatMinute(startMinuteOfDay + durationMinutes)}`;
}

/** `10月20日（火）9:00〜9:30` */
export function formatSpan(span: Span): string {
  return `${formatDay(span.serviceDateLocal)}${formatTimes(span)}`;
}

/** When it begins, as short as a button needs it: `12/2 13:00` */
export function formatMoment({ serviceDateLocal, startMinuteOfDay }: Omit<Span, "durationMinutes">): string {
  const [, month, date] = serviceDateLocal.split("-");
  return `${Number(month)}/${Number(date)} ${formatMinute(startMinuteOfDay)}`;
}

/** The beginning as an instant with its offset, such as `2026-10-20T09:00:00+09:00`. */
export function beginOf({ serviceDateLocal, startMinuteOfDay }: Omit<Span, "durationMinutes">): string {
  return `${serviceDateLocal}T${formatMinute(startMinuteOfDay).padStart(5, "0")}:00+09:00`;
}

/** Whether it is over at this moment. */
export function isOver(span: Span, now: number = Date.now()): boolean {
  return Date.parse(beginOf(span)) + span.durationMinutes * 60_000 <= now;
}
