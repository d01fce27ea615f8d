// What the codes of the booking API mean in Japanese.
import type { Tone } from "./Badge";
import type { SlotStatus } from "./shapes";

export const SLOT_STATUS_NAMES: Record<SlotStatus, string> = { draft: "下書き", published: "公開中", closed: "締切" };

export const SLOT_TONES: Record<SlotStatus, Tone> = { draft: "warn", published: "good", closed: "plain" };

export const STAFF_STATUS_NAMES: Record<string, string> = { active: "在籍", suspended: "停止中", left: "退職" };

export const SEX_NAMES: Record<string, string> = { "1": "男性", "2": "女性" };

export const FIELD_NAMES: Record<string, string> = {
  staffId: "職員番号",
  emrPatientId: "電子カルテの患者番号",
  familyName: "姓",
  givenName: "名",
  familyNameKana: "姓のふりがな",
  givenNameKana: "名のふりがな",
  jobTitle: "職種",
  departmentId: "部署",
  dateOfBirth: "生年月日",
  sexCode: "性別",
  email: "メールアドレス",
  pin: "暗証番号",
  status: "状態",
  role: "役割",
  reason: "理由",
  name: "名前",
  id: "コード",
};

export function fieldLabel(field: string): string {
  return FIELD_NAMES[field] ?? field;
}

/** Why a field was refused, in a few words that stand below the field. */
const PROBLEMS: Record<string, string> = {
  REQUIRED: "入力してください",
  TOO_LONG: "長すぎます。短くしてください",
  NOT_KATAKANA: "全角カタカナで入力してください",
  NOT_DIGITS: "半角の数字で入力してください",
  INVALID_FORMAT: "形が正しくありません",
  IN_FUTURE: "未来の日付は入力できません",
  UNKNOWN: "見つかりません",
  CONTROL_CHARACTER: "使えない文字が入っています",
  NOT_FOUND: "見つかりません",
  INACTIVE: "使わなくなった部署です。別の部署を選んでください",
  TAKEN: "すでに使われています",
  PAYMENTS_OFF: "オンライン決済の設定がないため、料金を付けられません",
  PRICE_OUT_OF_RANGE: "コンビニ払いは、120円から300,000円までです",
};

export function errorText(reason: string): string {
  return PROBLEMS[reason] ?? "正しくありません。入力し直してください";
}

/** Why somebody on a waiting list did not get a seat that was free. */
const SKIPPED: Record<string, string> = {
  DEPARTMENT_FULL: "部署の枠がいっぱいだったため",
  ALREADY_BOOKED_THIS_YEAR: "今年度の予約がすでにあるため",
  TOO_SOON_AFTER_LAST: "前回からの日数が足りないため",
  OVERLAPS: "ほかの予約と時間が重なるため",
  PROFILE_INCOMPLETE: "プロフィールが未入力のため",
  PIN_CHANGE_REQUIRED: "暗証番号が初期のままのため",
  NOT_ACTIVE: "在籍中でないため",
};

export function skippedText(reason: string): string {
  return SKIPPED[reason] ?? `条件に合わなかったため（${reason}）`;
}
