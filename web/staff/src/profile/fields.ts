// The fields of a person as they are typed, what is wrong with them, and what of them is sent.
import { ApiError } from "../../../api/errors";
import type { Profile, ProfileChange } from "../api/shapes";
import { isDay, today } from "../days";

export const FIELDS = [
  "familyName",
  "givenName",
  "familyNameKana",
  "givenNameKana",
  "jobTitle",
  "departmentId",
  "dateOfBirth",
  "sexCode",
  "emrPatientId",
  "email",
] as const;
export type FieldName = (typeof FIELDS)[number];
export type Values = Record<FieldName, string>;
export type Troubles = Partial<Record<string, string>>;

const KANA: ReadonlySet<FieldName> = new Set(["familyNameKana", "givenNameKana"]);
const OPTIONAL: ReadonlySet<FieldName> = new Set([...KANA, "email"]);
const NEED_PIN: readonly FieldName[] = ["familyName", "givenName", "emrPatientId"];
export const EMPTY: Values = {
  familyName: "",
  givenName: "",
  familyNameKana: "",
  givenNameKana: "",
  jobTitle: "",
  departmentId: "",
  dateOfBirth: "",
  sexCode: "",
  emrPatientId: "",
  email: "",
};

export function valuesOf(profile: Profile): Values {
  return Object.fromEntries(FIELDS.map((name) => [name, profile[name] ?? ""])) as Values;
}

/** As the server stores it: a birthday is typed as three numbers, kana may be typed half-width or as hiragana. */
export function tidied(name: FieldName, typed: string): string {
  const text = typed.trim();
  if (name === "dateOfBirth") return birthday(text);
  if (name === "emrPatientId" || name === "email") return text.normalize("NFKC");
  return KANA.has(name) ? katakana(text) : text;
}

function birthday(typed: string): string {
  const [year = "", month = "", day = ""] = typed.split("-");
  if (!year && !month && !day) return "";
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function katakana(typed: string): string {
  const whole = typed.normalize("NFKC").replace(/\s/g, "");
  return whole.replace(/[ぁ-ゖ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60));
}

/** What is wrong with a field before anybody is asked; empty when nothing is. */
export function troubleOf(name: FieldName, typed: string, now: string = today()): string {
  const value = tidied(name, typed);
  if (value === "") return OPTIONAL.has(name) ? "" : "入力してください。";
  if (name === "dateOfBirth") {
    if (!isDay(value) || value < "1900-01-01") return "西暦の年・月・日を確かめてください。例：1985年4月12日";
    return value > now ? "未来の日付になっています。" : "";
  }
  if (name === "emrPatientId") return /^[0-9]{1,20}$/.test(value) ? "" : "数字だけで入力してください。";
  // Whether mail arrives, only mail can tell; here slips are caught.
  if (name === "email") return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? "" : "メールアドレスを確かめてください。例：hanako@example.jp";
  if (KANA.has(name)) return /^[ァ-ヺー・]+$/.test(value) ? "" : "カタカナで入力してください。";
  return "";
}

export function troublesOf(names: readonly FieldName[], values: Values): Troubles {
  const found = names.map((name) => [name, troubleOf(name, values[name])] as const);
  return Object.fromEntries(found.filter(([, trouble]) => trouble !== ""));
}

/** What differs from the profile. A reading and the mail address can be emptied, the others cannot. */
export function changesOf(profile: Profile, names: readonly FieldName[], values: Values): ProfileChange {
  const changed = names
    .map((name) => [name, tidied(name, values[name])] as const)
    .filter(([name, value]) => value !== (profile[name] ?? ""));
  return Object.fromEntries(changed.map(([name, value]) => [name, value === "" ? null : value]));
}

export function needsPin(change: ProfileChange): boolean {
  return NEED_PIN.some((name) => name in change);
}

const REASONS: Record<string, string> = {
  REQUIRED: "入力してください。",
  TAKEN: "すでに使われています。まちがいがなければ、担当者にお問い合わせください。",
  NOT_DIGITS: "数字だけで入力してください。",
  NOT_KATAKANA: "カタカナで入力してください。",
  TOO_LONG: "長すぎます。",
  CONTROL_CHARACTER: "使えない文字が入っています。",
  INVALID_FORMAT: "書き方を確かめてください。",
  IN_FUTURE: "未来の日付になっています。",
  INACTIVE: "この部署は選べません。一覧から選び直してください。",
  UNKNOWN: "この部署は選べません。一覧から選び直してください。",
  WRONG: "暗証番号（PIN）が違います。5回間違えるとロックされます。",
  OFFICE_ONLY: "登録済みのため、変更は担当者に依頼してください。",
  PIN_TRIVIAL: "推測されやすい番号は使えません。",
};

/** What the server says about single fields. */
export function serverTroubles(error: unknown): Troubles {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.details.map(({ field, reason }) => [field, REASONS[reason] ?? "入力を確かめてください。"]));
}
