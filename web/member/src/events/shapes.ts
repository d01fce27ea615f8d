// The shapes of the API that several screens speak of, by the names people use.
import type { Answer, Body } from "../../../api/shapes";

export type EventRow = Answer<"/api/liff/events">["items"][number];
export type EventDetail = Answer<"/api/liff/events/{event_id}">;
export type StatusRow = Answer<"/api/liff/events/{event_id}/status">["items"][number];
export type HistoryRow = Answer<"/api/liff/events/{event_id}/history">["items"][number];

/** What a person can answer; `pending` besides means that they have not. */
export type Status = Body<"/api/liff/events/{event_id}/respond", "post">["status"];

export const STATUS_NAMES: Record<Status | "pending", string> = { attend: "出席", absent: "欠席", pending: "未回答" };
