import { ApiError, type ErrorDetail } from "../../../../api/errors";
import { formatDateTime } from "../../../../api/times";
import type { EventDetail } from "../event";
import { dayAndTime, instantOf } from "../times";

/** The fields of an event that can be changed, as the server has them. */
export type Base = Pick<EventDetail, "title" | "held_at" | "body" | "sequence">;

/** The same fields as the form shows them. */
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

/** Only the changed fields, because the server would refuse an unchanged date that has passed. */
export function changesOf(base: Base, fields: Fields): Changes {
  const before = fieldsOf(base);
  const changes: Changes = {};
  if (fields.title.trim() !== before.title) changes.title = fields.title.trim();
  if (fields.date !== before.date || fields.time !== before.time) changes.held_at = instantOf(fields) ?? "";
  if (fields.body.trim() !== before.body.trim()) changes.body = fields.body;
  return changes;
}

/** Merges another administrator's change: fields that were edited here keep the input, all others get the new value. */
export function merged(fields: Fields, base: Base, theirs: Base): Fields {
  const before = fieldsOf(base);
  const result = fieldsOf(theirs);
  const names = Object.keys(result) as (keyof Fields)[];
  for (const name of names) if (fields[name] !== before[name]) result[name] = fields[name];
  return result;
}

/** Describes another administrator's changes, and says where the person's own input was kept instead. */
export function theirChanges(fields: Fields, base: Base, theirs: Base): string[] {
  const [before, after] = [fieldsOf(base), fieldsOf(theirs)];
  const describe = (text: string, ...names: (keyof Fields)[]) => {
    if (names.every((name) => before[name] === after[name])) return [];
    const mine = names.some((name) => fields[name] !== before[name] && fields[name] !== after[name]);
    return [mine ? `${text}（この画面では、ご自分の入力を残しています）` : text];
  };
  return [
    ...describe(`タイトル：${base.title} → ${theirs.title}`, "title"),
    ...describe(`開催日時：${formatDateTime(base.held_at)} → ${formatDateTime(theirs.held_at)}`, "date", "time"),
    ...describe("本文が変わりました", "body"),
  ];
}

const MAX_LENGTH = { title: 100, body: 2000 };

/** The error that the server would answer, found without a request; null when there is none. */
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
