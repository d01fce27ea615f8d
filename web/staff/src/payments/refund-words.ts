// When a price is paid back, in words: before somebody books, and before somebody cancels.
import { formatWithWeekday } from "../../../kit/dates";
import { formatYen } from "./money";
import type { PayState } from "./pay-state";

/** The rule of a type. Null: the price is always paid back; 0: until it begins. */
export function refundRule(refundUntilHours: number | null): string {
  if (refundUntilHours === null) return "取り消したときは、全額を返金します。";
  if (refundUntilHours === 0) return "始まる前に取り消したときは、全額を返金します。そのあとの返金はありません。";
  return `始まる${hoursText(refundUntilHours)}前までに取り消したときは、全額を返金します。そのあとの返金はありません。`;
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

export const REFUND_TAKES = "カードの明細に戻るまで、5〜10日ほどかかることがあります。";
