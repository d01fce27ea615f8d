// What the office has entered so far. It is kept in the browser until the event is created.

import { newIdempotencyKey } from "../../../../api/idempotency-key";
import { heldAtText } from "../rules/held-at";

export interface Draft {
  /** Sent as `Idempotency-Key`: however often the same draft is sent, it becomes one event. */
  key: string;
  title: string;
  /** `2027-09-10`, as the browser's own date field gives it; empty while nothing is chosen. */
  date: string;
  /** `19:00` */
  time: string;
  body: string;
  memo: boolean;
  memoLabel: string;
  memoAttendOnly: boolean;
  everybody: boolean;
  audienceIds: number[];
  /** The members who were unticked. Those who are ticked are not kept, so that a member who joins a group later is invited too. */
  excluded: number[];
  /** A request whose outcome is unknown. A retry must have exactly the same content, because it has the same key. */
  attempt: Attempt | null;
}

export interface Attempt {
  memberIds: number[];
  overQuota: boolean;
}

export type DraftFields = Omit<Draft, "key" | "attempt">;

export const DEFAULT_BODY = "出欠のご回答をお願いします。\n詳細・回答は以下のリンクからご確認ください。";
export const DEFAULT_LABEL = "備考";
export const MAX_LENGTH = { title: 100, body: 2000, memoLabel: 20 } as const;

const BLANK: DraftFields = {
  title: "",
  date: "",
  time: "",
  body: DEFAULT_BODY,
  memo: false,
  memoLabel: DEFAULT_LABEL,
  memoAttendOnly: true,
  everybody: false,
  audienceIds: [],
  excluded: [],
};

export function newDraft(): Draft {
  return { key: newIdempotencyKey(), ...BLANK, attempt: null };
}

/** `「理事会」 12月12日（土）18:00`, once both are known: the line by which people tell one invitation from another. The server's words. */
export function headingOf({ title, date, time }: Pick<Draft, "title" | "date" | "time">): string | null {
  const text = title.trim() === "" ? null : heldAtText(date, time);
  return text === null || time === "" ? null : `「${title.trim()}」 ${text.replace(/^\d+年/, "")}`;
}

/** The draft after the office has typed something. The text begins with title and date, unless somebody has removed that line. */
export function changed(before: Draft, fields: Partial<DraftFields>): Draft {
  const after = { ...before, ...fields };
  const old = headingOf(before);
  const heading = headingOf(after);
  if ("body" in fields || heading === old) return after;
  if (old === null) return { ...after, body: after.body.includes(after.title.trim()) ? after.body : headed(heading, after.body) };
  const [first, ...rest] = after.body.split("\n");
  return first === old ? { ...after, body: headed(heading, rest.join("\n")) } : after;
}

function headed(heading: string | null, text: string): string {
  return [heading, text].filter((part) => part !== null && part !== "").join("\n");
}

export function isBlank(draft: Draft): boolean {
  return (Object.keys(BLANK) as (keyof DraftFields)[]).every((name) => same(draft[name], BLANK[name]));
}

function same(one: unknown, other: unknown): boolean {
  return Array.isArray(one) ? one.length === 0 : one === other;
}

/** Characters as people and the server count them: an emoji is one. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}
