// What the form of a slot holds, and what it becomes for the API. A form holds texts.
import { minuteOf, timeField } from "../booking/days";
import { type FieldErrors, wholeNumber } from "../booking/forms";
import type { Quota, Slot, SlotStatus } from "../booking/shapes";
import { dayAndTime, instantOf } from "../event-detail/times";

export interface QuotaDraft {
  departmentId: string;
  seats: string;
}

/** What slots share, whether one is made or many. */
export interface SharedDraft {
  type: number | undefined;
  capacity: string;
  status: SlotStatus;
  /** For fields of the type `datetime-local`: `2026-10-01T09:00` in Japan, or empty. */
  bookingStart: string;
  bookingEnd: string;
  notes: string;
  quotas: QuotaDraft[];
}

export interface TimeDraft {
  start: string;
  minutes: string;
}

export function sharedDraft(slot?: Slot): SharedDraft {
  return {
    type: slot?.reservationTypeId,
    capacity: slot ? String(slot.capacity) : "10",
    status: slot?.status ?? "draft",
    bookingStart: localField(slot?.bookingStart ?? null),
    bookingEnd: localField(slot?.bookingEnd ?? null),
    notes: slot?.notes ?? "",
    quotas: slot?.quotas.map(({ departmentId, seats }) => ({ departmentId, seats: String(seats) })) ?? [],
  };
}

export function timeDraft(slot?: Slot): TimeDraft {
  return slot ? { start: timeField(slot.startMinuteOfDay), minutes: String(slot.durationMinutes) } : { start: "09:00", minutes: "30" };
}

export function sharedErrors(draft: SharedDraft): FieldErrors {
  const errors: Record<string, string> = {};
  if (draft.type === undefined) errors["reservationTypeId"] = "予約の種類を選んでください";
  if (wholeNumber(draft.capacity, 1, 10_000) === null) errors["capacity"] = "1以上の数字にしてください";
  const [start, end] = [instant(draft.bookingStart), instant(draft.bookingEnd)];
  if (start !== null && end !== null && start > end) errors["bookingEnd"] = "締め切りが、受付の開始より前です";
  if ([...draft.notes.trim()].length > 500) errors["notes"] = "500文字までにしてください";
  if (draft.quotas.some(({ departmentId, seats }) => departmentId === "" || wholeNumber(seats, 0, 10_000) === null)) errors["quotas"] = "部署と人数を入れてください";
  const named = draft.quotas.map(({ departmentId }) => departmentId);
  if (new Set(named).size < named.length) errors["quotas"] = "同じ部署が2回あります";
  return errors;
}

export function timeError({ start, minutes }: TimeDraft): string | null {
  const begin = minuteOf(start);
  const length = wholeNumber(minutes, 1, 1440);
  if (begin === null) return "開始時刻を入れてください";
  if (length === null) return "長さは1分以上の数字にしてください";
  return begin + length > 1440 ? "終わりが24時を過ぎます" : null;
}

/** The fields of the API. Call it only when there are no errors. */
export function sharedFields(draft: SharedDraft) {
  return {
    reservationTypeId: draft.type ?? 0,
    capacity: wholeNumber(draft.capacity, 1, 10_000) ?? 0,
    status: draft.status,
    bookingStart: instant(draft.bookingStart),
    bookingEnd: instant(draft.bookingEnd),
    notes: draft.notes.trim() || null,
    quotas: draft.quotas.map(({ departmentId, seats }): Quota => ({ departmentId, seats: wholeNumber(seats, 0, 10_000) ?? 0 })),
  };
}

export function timeFields({ start, minutes }: TimeDraft) {
  return { startMinuteOfDay: minuteOf(start) ?? 0, durationMinutes: wholeNumber(minutes, 1, 1440) ?? 0 };
}

function localField(at: string | null): string {
  if (at === null) return "";
  const { date, time } = dayAndTime(at);
  return `${date}T${time}`;
}

/** The moment that a field of the type `datetime-local` says in Japan; null while it is empty. */
export function instant(field: string): string | null {
  const [date = "", time = ""] = field.split("T");
  return instantOf({ date, time });
}

/** Times one after the other, as many as fit between two times. */
export function timesBetween(first: string, last: string, minutes: string): TimeDraft[] {
  const [from, to, length] = [minuteOf(first), minuteOf(last), wholeNumber(minutes, 1, 1440)];
  if (from === null || to === null || length === null) return [];
  const times: TimeDraft[] = [];
  for (let start = from; start + length <= to && times.length < 200; start += length) times.push({ start: timeField(start), minutes: String(length) });
  return times;
}
