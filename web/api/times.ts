// People always see Japanese time as `YYYY/MM/DD HH:mm`, wherever their device thinks it is.
// Japan has no daylight saving, so nine hours are added and the UTC fields read: that is exact,
// and spares phones the loading of time-zone data.

const JST_OFFSET_MS = 9 * 60 * 60 * 1000;

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function inJapan(instant: string | Date): Date | null {
  const at = typeof instant === "string" ? new Date(instant) : instant;
  return Number.isNaN(at.getTime()) ? null : new Date(at.getTime() + JST_OFFSET_MS);
}

/** `2025/09/01`, or an empty text when the server sent something that is no time. */
export function formatDate(instant: string | Date): string {
  const at = inJapan(instant);
  if (at === null) return "";
  return `${at.getUTCFullYear()}/${twoDigits(at.getUTCMonth() + 1)}/${twoDigits(at.getUTCDate())}`;
}

/** `2025/09/01 12:00`, or an empty text when the server sent something that is no time. */
export function formatDateTime(instant: string | Date): string {
  const at = inJapan(instant);
  if (at === null) return "";
  return `${formatDate(instant)} ${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}`;
}

/** `9分05秒` or `45秒`: what is left of a waiting time. */
export function formatRemaining(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const minutes = Math.floor(whole / 60);
  return minutes > 0 ? `${minutes}分${twoDigits(whole % 60)}秒` : `${whole}秒`;
}

/** Milliseconds of the midnight that ends the day of an instant in Japan; `NaN` for something that is no time. */
export function endOfDayInJapan(instant: string | Date): number {
  const at = inJapan(instant);
  if (at === null) return Number.NaN;
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1) - JST_OFFSET_MS;
}

/** Milliseconds of a Japanese time as the server writes it for people (`2025/09/01 12:00`); `NaN` for something else. */
export function jstMilliseconds(text: string): number {
  const [, day, time] = /^(\d{4}\/\d{2}\/\d{2}) (\d{2}:\d{2})$/.exec(text) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day.replaceAll("/", "-")}T${time}:00+09:00`);
}
