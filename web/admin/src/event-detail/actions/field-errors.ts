import { ApiError, Unreachable } from "../../../../api/errors";

const CHARACTER = "使えない文字が入っています。入力し直してください";
const ERROR_TEXTS: Record<string, Record<string, string>> = {
  title: { REQUIRED: "タイトルを入力してください", TOO_LONG: "タイトルは100文字までです。短くしてください", INVALID_CHARACTER: CHARACTER },
  held_at: {
    REQUIRED: "開催日と時刻の両方を入れてください",
    INVALID_FORMAT: "日付か時刻が正しくありません。選び直してください",
    PAST_DATE: "過去の日時です。これからの日時にしてください",
    TOO_FAR: "5年より先の日時です。年を確かめてください",
  },
  body: { TOO_LONG: "本文は2,000文字までです。短くしてください", EMPTY: "目に見えない文字しか入っていません。入力し直してください", INVALID_CHARACTER: CHARACTER },
  reason: { TOO_LONG: "理由は200文字までです。短くしてください", INVALID_FORMAT: CHARACTER },
  extra_text: { TOO_LONG: "200文字までです。短くしてください", INVALID_FORMAT: CHARACTER },
  member_ids: {
    UNKNOWN_MEMBER: "名簿からいなくなった方が選ばれています。選び直してください",
    NOT_REACHABLE: "LINEで届かなくなった方が選ばれています。選び直してください",
  },
};
const OTHER_REASON = "入力し直してください";
const UNEXPECTED = "画面で問題が起きました。ページを読み込み直して、もう一度お試しください。";

/** The text of the server's error about one field. The server names entries of a list as `member_ids.101`. */
export function fieldError(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const detail = error.details.find((one) => one.field === field || one.field.startsWith(`${field}.`));
  return detail ? (ERROR_TEXTS[field]?.[detail.reason] ?? OTHER_REASON) : null;
}

/** Whether the error is about one of these fields. */
export function isAboutFields(error: unknown, fields: readonly string[]): boolean {
  return fields.some((field) => fieldError(error, field) !== null);
}

export function messageOf(error: unknown): string {
  return error instanceof ApiError || error instanceof Unreachable ? error.message : UNEXPECTED;
}
