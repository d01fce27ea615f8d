// What the codes of the notices mean in Japanese.
import type { Tone } from "../booking/Badge";
import type { NoticeKind, NoticeStatus } from "./search";

export const KIND_NAMES: Record<NoticeKind, string> = {
  CONFIRMATION: "予約確定",
  REMINDER: "リマインド",
  CANCEL_COMPLETED: "キャンセル完了",
};

export const STATUS_NAMES: Record<NoticeStatus, string> = {
  PENDING: "送信待ち",
  SENT: "送信済み",
  FAILED: "失敗",
  UNKNOWN: "不明",
  NONE: "異常",
  DASH: "送信なし",
};

export const STATUS_TONES: Record<NoticeStatus, Tone> = { PENDING: "plain", SENT: "good", FAILED: "bad", UNKNOWN: "warn", NONE: "bad", DASH: "plain" };

/** Why a notice failed, or why there is none, in a few words that fit into a table. The whole sentence comes from the server. */
const REASONS: Record<string, string> = {
  QUOTA: "今月の送信上限",
  BUSY: "LINEの混雑",
  TOKEN: "LINEの接続設定",
  REFUSED: "LINEが受け付けず",
  LINE_TROUBLE: "LINEの障害",
  NO_ANSWER: "LINEの返事なし",
  EXPIRED: "期限切れ",
  TEMPLATE: "文面の誤り",
  OTHER: "そのほかの理由",
  NO_LINE_LINK: "LINEの連携なし",
  LESS_THAN_48H: "開始まで48時間以内",
  CANCELLED: "予約の取り消し",
  MOVED: "日時の変更",
  TOO_MANY_TODAY: "1日の上限",
  NOT_CONFIRMED: "未払い",
  CALLED_OFF: "送らないことに決定",
  MISSING: "通知が見つからない",
};

/** Whether a notice was due and reached nobody: the person has no LINE here, and no mail went instead. */
export function isUntold({ status, reason, mail }: { status: NoticeStatus; reason: string | null; mail: unknown }): boolean {
  return status === "DASH" && reason === "NO_LINE_LINK" && mail === null;
}

/** Null where the state says everything: a reservation that stands has no notice of its cancellation. */
export function reasonText(reason: string | null): string | null {
  if (reason === null || reason === "NOT_CANCELLED") return null;
  return REASONS[reason] ?? "そのほかの理由";
}

export const RESERVATION_STATES: Record<"confirmed" | "canceled" | "hold", { name: string; tone: Tone }> = {
  confirmed: { name: "予約中", tone: "good" },
  canceled: { name: "取り消し", tone: "plain" },
  hold: { name: "支払い待ち", tone: "warn" },
};

export function count(number: number, unit = "件"): string {
  return `${number.toLocaleString("ja-JP")}${unit}`;
}
