// Days and times of slots, always Japanese ones. A chosen slot is kept as the office entered it, without an offset.
import { formatDateTime } from "../../../api/times";
import { addDays, minuteOf, shortDayText, timeText, weekdayName, weekdayOf } from "../booking/days";

/** A date that somebody chose: `2026-12-10`, `14:00`, 60. */
export interface ChosenSlot {
  date: string;
  start: string;
  minutes: number;
}

const DAY_MINUTES = 24 * 60;

export function startOf({ date, start }: ChosenSlot): string {
  return `${date}T${start}:00+09:00`;
}

export function endOf({ date, start, minutes }: ChosenSlot): string {
  const end = (minuteOf(start) ?? 0) + minutes;
  const time = `${String(Math.floor((end % DAY_MINUTES) / 60)).padStart(2, "0")}:${String(end % 60).padStart(2, "0")}`;
  return `${addDays(date, Math.floor(end / DAY_MINUTES))}T${time}:00+09:00`;
}

export function wireSlot(slot: ChosenSlot): { start_at: string; end_at: string } {
  return { start_at: startOf(slot), end_at: endOf(slot) };
}

/** The slot of the server as the office would have entered it. */
export function chosenOf({ start_at, end_at }: { start_at: string; end_at: string }): ChosenSlot {
  const [date = "", start = ""] = formatDateTime(start_at).split(" ");
  return { date: date.replaceAll("/", "-"), start, minutes: Math.round((Date.parse(end_at) - Date.parse(start_at)) / 60_000) };
}

/** `12/10（木） 14:00–15:30`, with the year where it is another one, and with the day where it ends on another. */
export function slotText(slot: { start_at: string; end_at: string }, now: Date = new Date()): string {
  return chosenText(chosenOf(slot), now);
}

export function chosenText(slot: ChosenSlot, now: Date = new Date()): string {
  const year = slot.date.slice(0, 4);
  const others = year === formatDateTime(now).slice(0, 4) ? "" : `${year}/`;
  return `${others}${shortDayText(slot.date)} ${timesText(slot)}`;
}

/** `14:00–15:30` */
export function timesText(slot: ChosenSlot): string {
  const from = minuteOf(slot.start) ?? 0;
  const to = from + slot.minutes;
  return `${timeText(from)}–${to > DAY_MINUTES ? "翌" : ""}${timeText(to > DAY_MINUTES ? to - DAY_MINUTES : to)}`;
}

/** `12/10` and `木`, for the narrow head of a column. */
export function columnHead(slot: ChosenSlot): { day: string; weekday: string; times: string } {
  const [, month, date] = slot.date.split("-");
  return { day: `${Number(month)}/${Number(date)}`, weekday: weekdayName(weekdayOf(slot.date)), times: timesText(slot) };
}

/** `1時間30分` */
export function durationText(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `${hours > 0 ? `${hours}時間` : ""}${rest > 0 ? `${rest}分` : ""}`;
}
