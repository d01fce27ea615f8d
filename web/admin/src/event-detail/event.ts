import type { Answer } from "../../../api/shapes";

export type EventDetail = Answer<"/api/admin/events/{event_id}">;
export type Person = EventDetail["current_status"][number];
export type Status = Person["status"];
export type Counts = EventDetail["counts"];
export type Push = EventDetail["push"];
export type HistoryItem = Answer<"/api/admin/events/{event_id}/history">["items"][number];
export type Broadcast = Answer<"/api/admin/events/{event_id}/deliveries">["items"][number];
export type Preview = Answer<"/api/admin/events/{event_id}/preview", "post">;
export type SendResult = Answer<"/api/admin/events/{event_id}/reminders", "post">;

export const STATUS_NAMES: Record<Status, string> = { attend: "出席", absent: "欠席", pending: "未回答" };
export const STATUSES: readonly Status[] = ["attend", "absent", "pending"];

export function countsOf(people: readonly Person[]): Counts {
  const counts = { attend: 0, absent: 0, pending: 0 };
  for (const person of people) counts[person.status] += 1;
  return counts;
}

export function sameCounts(one: Counts, other: Counts): boolean {
  return STATUSES.every((status) => one[status] === other[status]);
}

/** `1,234人`: people are always counted in the same way. */
export function peopleCount(count: number): string {
  return `${count.toLocaleString("ja-JP")}人`;
}

/** The label of the memo. It is needed even when the field is off, because older answers may have a memo. */
export function memoLabel(event: Pick<EventDetail, "extra_text">): string {
  return event.extra_text.label || "備考";
}
