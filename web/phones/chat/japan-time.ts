/** People always see Japanese time, whatever the clock of their computer says. Japan has no summer time. */
const JAPAN_OFFSET_MS = 9 * 60 * 60 * 1000;
const WEEKDAYS = "日月火水木金土";

function inJapan(time: number): Date {
  return new Date(time + JAPAN_OFFSET_MS);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

export function clockTime(time: number): string {
  if (Number.isNaN(time)) return "";
  const date = inJapan(time);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

export function clockTimeWithSeconds(time: number): string {
  if (Number.isNaN(time)) return "";
  return `${clockTime(time)}:${twoDigits(inJapan(time).getUTCSeconds())}`;
}

/** The number of the Japanese calendar day, so that two times can be compared by day. */
export function dayNumber(time: number): number {
  return Math.floor((time + JAPAN_OFFSET_MS) / 86_400_000);
}

export function dayLabel(time: number, now: number): string {
  const daysAgo = dayNumber(now) - dayNumber(time);
  if (daysAgo === 0) return "今日";
  if (daysAgo === 1) return "昨日";
  const date = inJapan(time);
  const day = `${date.getUTCMonth() + 1}月${date.getUTCDate()}日（${WEEKDAYS[date.getUTCDay()] ?? ""}）`;
  return date.getUTCFullYear() === inJapan(now).getUTCFullYear() ? day : `${date.getUTCFullYear()}年${day}`;
}

/** Short form for lists: the time today, the day before that. */
export function listTime(time: number, now: number): string {
  if (Number.isNaN(time)) return "";
  if (dayNumber(time) === dayNumber(now)) return clockTime(time);
  if (dayNumber(time) === dayNumber(now) - 1) return "昨日";
  const date = inJapan(time);
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}`;
}
