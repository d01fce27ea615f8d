import { ApiError } from "../../../api/errors";
import type { Errors, Field } from "./steps-of";

const FIELDS: Record<string, Field> = {
  title: "title",
  description: "description",
  place: "place",
  slots: "slots",
  invitees: "pasted",
  audience_ids: "people",
  member_ids: "people",
  rule: "rule",
  deadline_at: "deadline_at",
  mail_subject: "mail_subject",
};
const REASONS: Record<string, string> = {
  REQUIRED: "入力してください",
  TOO_LONG: "長すぎます。短くしてください",
  PAST_DATE: "過去の日時です。これからの日時にしてください",
  IN_PAST: "過去の日時です。これからの日時にしてください",
  DUPLICATE: "同じものが2つあります",
  TOO_MANY: "多すぎます。減らしてください",
  UNKNOWN_AUDIENCE: "なくなったグループが選ばれています。選び直してください",
  UNKNOWN_MEMBER: "名簿からいなくなった方が選ばれています。選び直してください",
  INVALID_CHARACTER: "使えない文字が入っています。入力し直してください",
};

/** What the server says about fields of the form, in words; null when it says nothing about any of them. */
export function serverErrors(error: unknown): Errors | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const found: Errors = {};
  for (const { field, reason } of error.details) {
    const name = FIELDS[field.split(".")[0] ?? ""];
    if (name !== undefined) found[name] ??= REASONS[reason] ?? fallback(error);
  }
  return Object.keys(found).length === 0 ? null : found;
}

function fallback(error: ApiError): string {
  return error.code === "INVALID_INPUT" ? "入力し直してください" : error.message;
}
