import { formatDate, formatDateTime } from "../api/times";

const WEEKDAYS = "日月火水木金土";

/** `2025/09/10(水) 19:00`: people plan by the day of the week, so an appointed time always carries it. */
export function formatWithWeekday(instant: string): string {
  const day = formatDate(instant);
  if (!day) return "";
  // The weekday of a calendar day is the same everywhere, so it is read off the Japanese date taken as UTC.
  const weekday = WEEKDAYS[new Date(`${day.replaceAll("/", "-")}T00:00:00Z`).getUTCDay()];
  return `${day}(${weekday})${formatDateTime(instant).slice(day.length)}`;
}

/** `2025/09/10(水) 19:00〜20:30`; the end carries its day where that is another one. */
export function formatPeriod(start: string, end: string): string {
  const sameDay = formatDate(start) === formatDate(end);
  return `${formatWithWeekday(start)}〜${sameDay ? formatDateTime(end).slice(-5) : formatWithWeekday(end)}`;
}
