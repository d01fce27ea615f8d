import { addDays, today, weekdayOf } from "../../booking/days";
import { type DayAndTime, instantOf } from "../../event-detail/times";
import { type ChosenSlot, startOf } from "../../threads/slot-times";

const DAY_MS = 24 * 60 * 60 * 1000;
const EVENING = "18:00";
const ALMOST_MIDNIGHT = "23:00";

/** Until when people may answer, if nobody says otherwise: in a week, but two days before the first date. */
export function suggestedDeadline(slots: readonly ChosenSlot[], now: Date): DayAndTime {
  const first = slots.map(({ date }) => date).sort()[0];
  const inAWeek = addDays(today(now), 7);
  const before = first === undefined ? inAWeek : addDays(first, -2);
  const wanted = before < inAWeek ? before : inAWeek;
  const choice = { date: wanted, time: EVENING };
  if (isLater(choice, now)) return choice;
  // The first date is near: tonight, or at the latest an hour before it.
  const tonight = { date: today(now), time: ALMOST_MIDNIGHT };
  return isLater(tonight, now) ? tonight : { date: addDays(today(now), 1), time: "12:00" };
}

/** Some quick choices that lie before the first date. */
export function deadlineChoices(slots: readonly ChosenSlot[], now: Date): { label: string; at: DayAndTime }[] {
  const day = today(now);
  const first = slots.map(({ date }) => date).sort()[0];
  const friday = addDays(day, (5 - weekdayOf(day) + 7) % 7 || 7);
  const choices = [
    { label: "3日後", at: { date: addDays(day, 3), time: EVENING } },
    { label: "次の金曜", at: { date: friday, time: EVENING } },
    { label: "1週間後", at: { date: addDays(day, 7), time: EVENING } },
    ...(first === undefined ? [] : [{ label: "最初の候補日の前日", at: { date: addDays(first, -1), time: EVENING } }]),
  ];
  return choices.filter(({ at }) => isLater(at, now) && (first === undefined || at.date <= first));
}

/** Why a deadline cannot stand, or null. */
export function deadlineProblem(at: DayAndTime, now: Date): string | null {
  const instant = instantOf(at);
  if (instant === null) return "回答期限の日付と時刻を入れてください";
  return Date.parse(instant) <= now.getTime() ? "過去の日時です。これからの日時にしてください" : null;
}

/** What should be looked at although it can stand, or null. */
export function deadlineWarning(at: DayAndTime, slots: readonly ChosenSlot[], now: Date): string | null {
  const instant = instantOf(at);
  if (instant === null) return null;
  const end = Date.parse(instant);
  const begun = slots.filter((slot) => Date.parse(startOf(slot)) <= end).length;
  if (begun > 0 && begun === slots.length) return "すべての候補日が、回答期限より前に始まります。期限を早めてください。";
  if (begun > 0) return `${begun}個の候補日は、回答期限より前に始まります。`;
  return end - now.getTime() < DAY_MS ? "期限まで24時間ありません。期限前の督促は送られません。" : null;
}

function isLater(at: DayAndTime, now: Date): boolean {
  return Date.parse(instantOf(at) ?? "") > now.getTime() + 60 * 60 * 1000;
}
