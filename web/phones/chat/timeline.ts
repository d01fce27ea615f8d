import type { ChatMessage } from "../client/types";
import { dayLabel, dayNumber } from "./japan-time";

/** One row of the chat: a day that begins, or a message. */
export type TimelineRow =
  | { kind: "day"; key: string; label: string }
  | { kind: "message"; key: string; entry: ChatMessage; startsGroup: boolean };

/** Messages of one sender within this time stand together under one picture. */
const GROUP_MS = 3 * 60 * 1000;

export function timelineOf(messages: ChatMessage[], now: number): TimelineRow[] {
  const rows: TimelineRow[] = [];
  let before: ChatMessage | null = null;
  for (const entry of messages) {
    const time = Date.parse(entry.at);
    const newDay = before === null || dayNumber(Date.parse(before.at)) !== dayNumber(time);
    if (newDay) rows.push({ kind: "day", key: `day-${dayNumber(time)}-${entry.id}`, label: dayLabel(time, now) });
    rows.push({ kind: "message", key: entry.id, entry, startsGroup: newDay || !belongsTo(before, entry) });
    before = entry;
  }
  return rows;
}

function belongsTo(before: ChatMessage | null, entry: ChatMessage): boolean {
  return before?.from === entry.from && Date.parse(entry.at) - Date.parse(before.at) < GROUP_MS;
}

/** Puts a message that arrived over the stream into a chat; one that is already there is replaced, not doubled. */
export function withMessage(messages: ChatMessage[], entry: ChatMessage): ChatMessage[] {
  const known = messages.findIndex((message) => message.id === entry.id);
  if (known >= 0) return messages.map((message, index) => (index === known ? entry : message));
  const later = messages.findIndex((message) => Date.parse(message.at) > Date.parse(entry.at));
  return later < 0 ? [...messages, entry] : [...messages.slice(0, later), entry, ...messages.slice(later)];
}

export function unreadIn(messages: ChatMessage[]): number {
  return messages.filter((entry) => entry.from === "account" && !entry.read).length;
}
