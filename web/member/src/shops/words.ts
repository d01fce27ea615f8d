import { ApiError } from "../../../api/errors";
import { errorWords } from "../../../kit/error-words";
import type { MemberErrorWords } from "../screens/member-error-words";
import { memberErrorWords } from "../screens/member-error-words";
import type { TypedContact } from "./shapes";

export type Wrong = Partial<Record<keyof TypedContact, string>>;

const FIELDS: Record<keyof TypedContact, string> = {
  email: "メールアドレスの形が正しくありません。もう一度ご確認ください。",
  phone_number: "電話番号の形が正しくありません。例：090-1234-5678",
  name: "お名前に使えない文字が入っているか、長すぎます。",
};

/** What is missing, before the server is asked. */
export function lacking({ email, phone_number }: TypedContact): Wrong {
  return {
    ...(email.trim() === "" && { email: "メールアドレスを入力してください。" }),
    ...(phone_number.trim() === "" && { phone_number: "電話番号を入力してください。" }),
  };
}

/** What the server says about the fields; null when it is about something else. */
export function wrongFields(error: unknown): Wrong | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const found: Wrong = {};
  for (const { field } of error.details) {
    if (field in FIELDS) found[field as keyof TypedContact] = FIELDS[field as keyof TypedContact];
  }
  return Object.keys(found).length > 0 ? found : null;
}

/** One sentence for what went wrong: the server's own, where it has one for people. */
export function troubleWords(error: unknown): string {
  return error instanceof ApiError ? error.message : errorWords(error).text;
}

export function shopErrorWords(error: unknown): MemberErrorWords {
  if (error instanceof ApiError && (error.status === 404 || error.status === 410)) {
    return { title: "この店舗のページはありません", text: error.message, help: "list" };
  }
  return memberErrorWords(error);
}

/** The code of the mail, as it is sent: digits only, also from a keyboard with wide ones. */
export function digitsOf(text: string): string {
  return text.normalize("NFKC").replace(/\D/g, "").slice(0, 6);
}
