import { formatDate, formatDateTime } from "../api/times";

const WEEKDAYS = "日月火水木金土";

/** `9月10日（水）19:00`: people plan by the day of the week, so an appointed time always carries it. The year stands where
 *  it is another one than now. */
export function formatWithWeekday(instant: string, now: Date = new Date()): string {
  const day = formatWeekday(instant, now);
  return day && `${day}${formatDateTime(instant).slice(-5)}`;
}

/** `9月10日（水）` */
export function formatWeekday(instant: string, now: Date = new Date()): string {
  const [year, month, date] = formatDate(instant).split("/");
  if (!month) return "";
  return `${year === formatDate(now).slice(0, 4) ? "" : `${year}年`}${Number(month)}月${Number(date)}日（${weekdayOf(instant)}）`;
}

/** `水`. The weekday of a calendar day is the same everywhere, so it is read off the Japanese date taken as UTC. */
export function weekdayOf(instant: string): string {
  const day = new Date(`${formatDate(instant).replaceAll("/", "-")}T00:00:00Z`);
  return WEEKDAYS[day.getUTCDay()] ?? "";
}

/** `9月10日（水）19:00〜20:30`; the end carries its day where that is another one. */
export function formatPeriod(start: string, end: string, now: Date = new Date()): string {
  const sameDay = formatDate(start) === formatDate(end);
  return `${formatWithWeekday(start, now)}〜${sameDay ? formatDateTime(end).slice(-5) : formatWithWeekday(end, now)}`;
}
