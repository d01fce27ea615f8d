import { isDay } from "../booking/days";

/** What is looked for stands in the address: a reload keeps it, and the home screen can lead to what failed. */
export const STATUSES = ["PENDING", "SENT", "FAILED", "UNKNOWN", "NONE", "DASH"] as const;
export type NoticeStatus = (typeof STATUSES)[number];

export const KINDS = ["CONFIRMATION", "REMINDER", "CANCEL_COMPLETED"] as const;
export type NoticeKind = (typeof KINDS)[number];

export interface NoticesSearch {
  status?: NoticeStatus;
  kind?: NoticeKind;
  from?: string;
  to?: string;
  q?: string;
}

export function noticesSearch(search: Record<string, unknown>): NoticesSearch {
  const status = STATUSES.find((one) => one === search["status"]);
  const kind = KINDS.find((one) => one === search["kind"]);
  const { from, to } = search;
  // The number of a reservation in the address is read as a number.
  const q = ["string", "number"].includes(typeof search["q"]) ? String(search["q"]).slice(0, 100).trim() : "";
  return {
    ...(status ? { status } : {}),
    ...(kind ? { kind } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(q ? { q } : {}),
  };
}

/** The same search with one thing changed; an empty value takes it away. */
export function narrowed(search: NoticesSearch, field: keyof NoticesSearch, value: string): NoticesSearch {
  const { [field]: _before, ...others } = search;
  return noticesSearch({ ...others, [field]: value });
}

export function isNarrowed(search: NoticesSearch): boolean {
  return Object.keys(search).length > 0;
}
