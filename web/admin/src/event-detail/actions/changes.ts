import { ApiError, type ErrorDetail } from "../../../../api/errors";
import { formatDateTime } from "../../../../api/times";
import type { EventDetail } from "../event";
import { dayAndTime, instantOf } from "../times";

/** What of an event may be changed, as the server has it. */
export type Base = Pick<EventDetail, "title" | "held_at" | "body" | "sequence">;

/** The same as the form shows it. */
export interface Fields {
  title: string;
  date: string;
  time: string;
  body: string;
}

export interface Changes {
  title?: string;
  held_at?: string;
  body?: string;
}

export function fieldsOf(base: Base): Fields {
  return { title: base.title, ...dayAndTime(base.held_at), body: base.body ?? "" };
}

/** Only what differs: a date that has passed may stay, but could not be sent again. */
export function changesOf(base: Base, fields: Fields): Changes {
  const before = fieldsOf(base);
  const changes: Changes = {};
  if (fields.title.trim() !== before.title) changes.title = fields.title.trim();
  if (fields.date !== before.date || fields.time !== before.time) changes.held_at = instantOf(fields) ?? "";
  if (fields.body.trim() !== before.body.trim()) changes.body = fields.body;
  return changes;
}

/** After somebody else's change: what was typed here stays, everything else is theirs. */
export function merged(fields: Fields, base: Base, theirs: Base): Fields {
  const before = fieldsOf(base);
  const result = fieldsOf(theirs);
  const names = Object.keys(result) as (keyof Fields)[];
  for (const name of names) if (fields[name] !== before[name]) result[name] = fields[name];
  return result;
}

/** What somebody else changed, in words, and where one's own input stands in its place. */
export function theirChanges(fields: Fields, base: Base, theirs: Base): string[] {
  const [before, after] = [fieldsOf(base), fieldsOf(theirs)];
  const result = (words: string, ...names: (keyof Fields)[]) => {
    if (names.every((name) => before[name] === after[name])) return [];
    const mine = names.some((name) => fields[name] !== before[name] && fields[name] !== after[name]);
    return [mine ? `${words}（この画面では、ご自分の入力を残しています）` : words];
  };
  return [
    ...result(`タイトル：${base.title} → ${theirs.title}`, "title"),
    ...result(`開催日時：${formatDateTime(base.held_at)} → ${formatDateTime(theirs.held_at)}`, "date", "time"),
    ...result("本文が変わりました", "body"),
  ];
}

const MAX_LENGTH = { title: 100, body: 2000 };

/** What the server would refuse, said before it is asked and in the same way; null when nothing speaks against it. */
export function refusalOf(changes: Changes, now: Date): ApiError | null {
  const errors: ErrorDetail[] = [];
  const addError = (field: keyof Changes, reason: string) => errors.push({ field, reason });
  if (changes.title === "") addError("title", "REQUIRED");
  if ([...(changes.title ?? "")].length > MAX_LENGTH.title) addError("title", "TOO_LONG");
  if (changes.held_at === "") addError("held_at", "REQUIRED");
  else if (changes.held_at && Date.parse(changes.held_at) < now.getTime() - 60_000) addError("held_at", "PAST_DATE");
  if ([...(changes.body ?? "")].length > MAX_LENGTH.body) addError("body", "TOO_LONG");
  return errors.length === 0 ? null : new ApiError(400, "INVALID_INPUT", "入力内容に誤りがあります。", errors, null, null);
}
