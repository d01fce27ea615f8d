// When a price is paid back, in words: before somebody books, and before somebody cancels.
import { formatWithWeekday } from "../../../kit/dates";
import { formatYen } from "./money";
import type { PayState } from "./pay-state";

const HOUR_MS = 60 * 60 * 1000;

/** The rule of a type for a slot that begins at a time. Null: the price is always paid back; 0: until it begins. */
export function refundRule(refundUntilHours: number | null, begin: string, now: number = Date.now()): string {
  if (refundUntilHours === null) return "取り消したときは、全額を返金します。";
  if (Date.parse(begin) - refundUntilHours * HOUR_MS < now) return "この枠は、返金の期限を過ぎています。取り消しても返金はありません。";
  if (refundUntilHours === 0) return "始まる前の取り消しは、全額を返金します。";
  return `${hoursText(refundUntilHours)}前までの取り消しは、全額を返金します。そのあとの返金はありません。`;
}

/** The same for somebody who holds a seat, by its time. */
export function refundUntilText(refundUntil: string | null, now: number = Date.now()): string {
  if (refundUntil === null) return "お支払いのあとに取り消したときは、全額を返金します。";
  if (Date.parse(refundUntil) < now) return "お支払いのあとは、取り消しても返金はありません。";
  return `お支払いのあとは、${formatWithWeekday(refundUntil)} までの取り消しに限り、全額を返金します。`;
}

/** `3日` where it is whole days, else `30時間`. */
function hoursText(hours: number): string {
  return hours >= 48 && hours % 24 === 0 ? `${hours / 24}日` : `${hours}時間`;
}

export interface CancelWords {
  text: string;
  /** The price is lost, so that the button says it too. */
  lost: boolean;
}

/** What happens with the money when the person cancels now. Null: there is none. */
export function cancelWords(state: PayState, refundUntil: string | null, now: number = Date.now()): CancelWords | null {
  if (state.kind === "due" || state.kind === "konbini") {
    return { text: "まだお支払いの前なので、料金はかかりません。支払い画面や払込票を開いているときは、支払わずに閉じてください。", lost: false };
  }
  if (state.kind !== "paid") return null;
  const amount = formatYen(state.amount);
  if (refundUntil === null) return { text: `お支払いの${amount}は、全額を返金します。${REFUND_TAKES}`, lost: false };
  const until = formatWithWeekday(refundUntil);
  return now <= Date.parse(refundUntil)
    ? { text: `${until} までの取り消しなので、お支払いの${amount}は、全額を返金します。${REFUND_TAKES}`, lost: false }
    : { text: `返金の期限（${until}）を過ぎています。お支払いの${amount}は返金されません。`, lost: true };
}

// Stripe asks by mail for the account to which it returns what was paid in a convenience store.
export const REFUND_TAKES =
  "カードで支払ったときは、明細に戻るまで5〜10日ほどかかることがあります。コンビニで支払ったときは、受け取り方を知らせるメールがStripeから届きます。";
