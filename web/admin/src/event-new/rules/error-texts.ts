import { ApiError, type ErrorDetail } from "../../../../api/errors";
import type { FieldErrors, Field } from "./field-errors";

const ERROR_TEXTS: Record<Field, Record<string, string>> = {
  title: {
    REQUIRED: "タイトルを入力してください",
    TOO_LONG: "タイトルは100文字までです。短くしてください",
    INVALID_CHARACTER: "使えない文字が入っています。入力し直してください",
  },
  held_at: {
    REQUIRED: "開催日と時刻の両方を入れてください",
    INVALID_FORMAT: "日付か時刻が正しくありません。選び直してください",
    PAST_DATE: "過去の日時です。これからの日時にしてください",
    TOO_FAR: "5年より先の日時です。年を確かめてください",
  },
  body: {
    TOO_LONG: "本文は2,000文字までです。短くしてください",
    EMPTY: "目に見えない文字しか入っていません。入力し直してください",
    INVALID_CHARACTER: "使えない文字が入っています。貼り付けた部分を入力し直してください",
  },
  extra_text_label: {
    TOO_LONG: "メモ欄の名前は20文字までです。短くしてください",
    INVALID_CHARACTER: "使えない文字が入っています。入力し直してください",
  },
  image: {
    REQUIRED: "画像を選んでください",
    NOT_JPEG: "JPEG（.jpg）ではないため、使えません",
    PDF: "PDFのままでは、LINEで画像として送れません",
    OTHER_PICTURE: "JPEGではない種類の画像のため、使えません",
    TOO_LARGE: "5MBより大きいため、使えません",
    TOO_MANY_PIXELS: "画像の縦横が大きすぎるか、極端に細長いため、使えません",
    BROKEN: "画像を読み取れませんでした。ファイルが壊れているかもしれません",
  },
  audiences: { REQUIRED: "配信先を1つ以上選んでください" },
  target_member_ids: {
    REQUIRED: "受信者が1人もいません。1人以上にチェックを入れてください",
    TOO_MANY: "受信者が多すぎます。100,000人までにしてください",
    UNKNOWN_MEMBER: "名簿からいなくなった方がいました。最新の名簿を読み込みましたので、もう一度ご確認ください",
    NOT_REACHABLE: "LINEで届かなくなった方がいました。最新の名簿を読み込みましたので、もう一度ご確認ください",
  },
  confirm_over_quota: {
    REQUIRED: "上限を超えることを確かめて、チェックを入れてください",
    QUOTA_EXCEEDED: "LINEで今月送れる数を超えます。それでも送るときは、チェックを入れてください",
  },
};
const OTHER_REASON = "入力し直してください";

export function errorText(field: Field, reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : (ERROR_TEXTS[field][reason] ?? OTHER_REASON);
}

/** What is to be done about a picture that cannot be used. */
export const PICTURE_ADVICE: Record<string, string> = {
  PDF: "下の「PDFをJPGにする方法」の手順で変換してから、もう一度選んでください。",
  OTHER_PICTURE: "画像をWindowsの「ペイント」で開き、「名前を付けて保存」で「JPEG画像」を選んで保存してから、もう一度選んでください。",
  NOT_JPEG: "画像をJPEG形式で保存し直してください。ファイル名を .jpg に変えるだけでは使えません。",
  TOO_LARGE: "画像を「ペイント」で開き、「サイズ変更」で50%にして保存してから、もう一度選んでください。",
  TOO_MANY_PIXELS: "画像を「ペイント」で開き、「サイズ変更」で50%にして保存してから、もう一度選んでください。",
  BROKEN: "画像を「ペイント」で開いてJPEGで保存し直してから、もう一度選んでください。",
};

/** The server names fields as they travel (`target_member_ids.101`); null when it complains about none that we show. */
export function serverFieldErrors(error: unknown): FieldErrors | null {
  if (!(error instanceof ApiError)) return null;
  const errors: FieldErrors = {};
  for (const detail of error.details) {
    const field = fieldOf(detail);
    if (field !== null && errors[field] === undefined) errors[field] = detail.reason;
  }
  return Object.keys(errors).length > 0 ? errors : null;
}

function fieldOf({ field }: ErrorDetail): Field | null {
  const name = field.split(".").find((part) => part in ERROR_TEXTS || part === "audience_ids");
  return name === "audience_ids" ? "audiences" : ((name as Field | undefined) ?? null);
}
