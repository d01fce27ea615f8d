// Days and times of slots. A day is a Japanese calendar day (`2026-04-01`), a time is minutes since its midnight.
import { formatDate } from "../../../api/times";

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEKDAYS = "日月火水木金土";
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function today(now: Date = new Date()): string {
  return formatDate(now).replaceAll("/", "-");
}

export function isDay(value: unknown): value is string {
  return typeof value === "string" && DAY.test(value) && addDays(value, 0) === value;
}

export function addDays(day: string, count: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? "" : new Date(at + count * DAY_MS).toISOString().slice(0, 10);
}

/** Monday is 1 and Sunday is 7, as in the API. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

export function weekdayName(weekday: number): string {
  return WEEKDAYS[weekday % 7] ?? "";
}

/** `2026/04/01（水）`: people notice a wrong date by the day of the week. */
export function dayText(day: string): string {
  return `${day.replaceAll("-", "/")}（${weekdayName(weekdayOf(day))}）`;
}

/** `4/1（水）`, where the year is clear. */
export function shortDayText(day: string): string {
  const [, month, date] = day.split("-");
  return `${Number(month)}/${Number(date)}（${weekdayName(weekdayOf(day))}）`;
}

export function timeText(minute: number): string {
  return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
}

/** `9:00–9:30`. */
export function rangeText({ startMinuteOfDay, durationMinutes }: { startMinuteOfDay: number; durationMinutes: number }): string {
  return `${timeText(startMinuteOfDay)}–${timeText(startMinuteOfDay + durationMinutes)}`;
}

/** The instant at which it begins. */
export function beginsAt({ serviceDateLocal, startMinuteOfDay }: { serviceDateLocal: string; startMinuteOfDay: number }): number {
  return Date.parse(`${serviceDateLocal}T${timeText(startMinuteOfDay).padStart(5, "0")}:00+09:00`);
}

/** For a field of the type `time`, which wants two digits for the hour. */
export function timeField(minute: number): string {
  return timeText(minute).padStart(5, "0");
}

/** The minutes of `09:30`, or null while the field is empty. */
export function minuteOf(time: string): number | null {
  const [, hour, minute] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

export function isMonth(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(value);
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

export function monthText(month: string): string {
  const [year, number] = month.split("-");
  return `${year}年${Number(number)}月`;
}

/** The weeks of a month, each from Monday to Sunday; days of other months are null. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const days: (string | null)[] = Array<null>(weekdayOf(first) - 1).fill(null);
  for (let day = first; monthOf(day) === month; day = addDays(day, 1)) days.push(day);
  while (days.length % 7 > 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** The fiscal year of a day begins on the first of April. */
export function fiscalYear(day: string): number {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return month >= 4 ? year : year - 1;
}

export function periodText(periodKey: string): string {
  return `${periodKey.replace(/^FY/, "")}年度`;
}
