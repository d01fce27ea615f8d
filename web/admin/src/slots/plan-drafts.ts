// What the forms of a bulk creation and of a copy hold, how they are kept in the browser, and what they become for the API.
import { addDays, isDay, today, weekdayOf } from "../booking/days";
import type { FieldErrors } from "../booking/forms";
import { SLOT_STATUS_NAMES } from "../booking/words";
import { draftStore, isRecord, listOf, plainFields, type Stored } from "../frame/kept-draft";
import { type QuotaDraft, type SharedDraft, sharedDraft, sharedErrors, sharedFields, type TimeDraft, timeError, timeFields } from "./draft";
import type { BulkBody, CopyBody } from "./usePlan";

export interface BulkDraft {
  from: string;
  to: string;
  weekdays: number[];
  times: TimeDraft[];
  skipHolidays: boolean;
  /** Days as somebody types them. */
  excluded: string;
  shared: SharedDraft;
}

export interface CopyDraft {
  unit: "day" | "week";
  source: string;
  target: string;
  type: number | undefined;
  skipHolidays: boolean;
}

export function bulkDraft(date?: string, type?: number): BulkDraft {
  return {
    from: date ?? addDays(today(), 1),
    to: date ?? addDays(today(), 14),
    weekdays: [1, 2, 3, 4, 5],
    times: [{ start: "09:00", minutes: "30" }],
    skipHolidays: true,
    excluded: "",
    shared: { ...sharedDraft(), type },
  };
}

export function bulkErrors(draft: BulkDraft): FieldErrors {
  const { from, to, weekdays, times } = draft;
  const errors: Record<string, string> = { ...sharedErrors(draft.shared) };
  if (!isDay(from)) errors["from"] = "日付を入れてください";
  if (!isDay(to)) errors["to"] = "日付を入れてください";
  else if (to < from) errors["to"] = "「いつまで」が「いつから」より前です";
  if (weekdays.length === 0) errors["weekdays"] = "曜日を1つ以上選んでください";
  const wrong = times.map(timeError).find((invalid) => invalid !== null);
  if (times.length === 0) errors["times"] = "時間を1つ以上入れてください";
  else if (wrong) errors["times"] = wrong;
  if (!excludedDays(draft).every(isDay)) errors["excludeDates"] = "2026-12-29 のように書いてください";
  return errors;
}

/** Null while something is missing. */
export function bulkBody(draft: BulkDraft): BulkBody | null {
  if (Object.keys(bulkErrors(draft)).length > 0) return null;
  const { from, to, weekdays, times, skipHolidays } = draft;
  return { ...sharedFields(draft.shared), from, to, weekdays, times: times.map(timeFields), skipHolidays, excludeDates: excludedDays(draft), dryRun: true };
}

export function copyDraft(date?: string): CopyDraft {
  return { unit: "day", source: addDays(date ?? today(), -7), target: date ?? addDays(today(), 7), type: undefined, skipHolidays: true };
}

/** The days that are copied and the first day that they become; null while a date is missing. */
export function copyDays({ unit, source, target }: CopyDraft): { from: string; to: string; target: string } | null {
  if (!isDay(source) || !isDay(target)) return null;
  if (unit === "day") return { from: source, to: source, target };
  return { from: monday(source), to: addDays(monday(source), 6), target: monday(target) };
}

export function copyBody(draft: CopyDraft): CopyBody | null {
  const days = copyDays(draft);
  return days && { ...days, skipHolidays: draft.skipHolidays, dryRun: true, ...(draft.type === undefined ? {} : { reservationTypeId: draft.type }) };
}

export const bulkStore = draftStore("slots-draft", readBulk);
export const copyStore = draftStore("slots-copy-draft", readCopy);

function readBulk(stored: Stored): BulkDraft {
  const blank = bulkDraft();
  const shared = isRecord(stored["shared"]) ? stored["shared"] : {};
  const status = Object.keys(SLOT_STATUS_NAMES).find((known) => known === shared["status"]);
  return {
    ...plainFields(stored, blank),
    weekdays: listOf(stored["weekdays"], isWeekday),
    times: listOf(stored["times"], isTime),
    shared: {
      ...plainFields(shared, blank.shared),
      type: typeIn(shared),
      status: (status as SharedDraft["status"] | undefined) ?? blank.shared.status,
      quotas: listOf(shared["quotas"], isQuota),
    },
  };
}

function readCopy(stored: Stored): CopyDraft {
  return { ...plainFields(stored, copyDraft()), unit: stored["unit"] === "week" ? "week" : "day", type: typeIn(stored) };
}

function typeIn({ type }: Stored): number | undefined {
  return Number.isSafeInteger(type) && (type as number) > 0 ? (type as number) : undefined;
}

function isWeekday(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 7;
}

function isTime(value: unknown): value is TimeDraft {
  return isRecord(value) && typeof value["start"] === "string" && typeof value["minutes"] === "string";
}

function isQuota(value: unknown): value is QuotaDraft {
  return isRecord(value) && typeof value["departmentId"] === "string" && typeof value["seats"] === "string";
}

function excludedDays({ excluded }: BulkDraft): string[] {
  return excluded.normalize("NFKC").replaceAll("/", "-").split(/[\s,、]+/).filter(Boolean);
}

function monday(day: string): string {
  return addDays(day, 1 - weekdayOf(day));
}
