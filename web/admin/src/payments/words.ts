// What the codes of payments mean in Japanese.
import { actorName } from "../audit/names";
import type { Tone } from "../booking/Badge";
import type { Mismatch, Payment } from "./queries";
import type { PaymentStatus, RefundState } from "./search";

export const STATUSES: Record<PaymentStatus, { name: string; tone: Tone }> = {
  CREATING: { name: "準備中", tone: "plain" },
  OPEN: { name: "支払い待ち", tone: "warn" },
  WAITING: { name: "コンビニ払い待ち", tone: "warn" },
  PAID: { name: "支払い済み", tone: "good" },
  EXPIRED: { name: "期限切れ", tone: "plain" },
  FAILED: { name: "失敗", tone: "bad" },
};

export const REFUNDS: Record<RefundState, { name: string; tone: Tone }> = {
  PENDING: { name: "返金の手続き中", tone: "warn" },
  DONE: { name: "返金済み", tone: "plain" },
  FAILED: { name: "返金できず", tone: "bad" },
};

export const RESERVATIONS: Record<Payment["reservationState"], string> = { held: "支払い待ちの予約", confirmed: "確定した予約", canceled: "取り消された予約" };

export function yen(amount: number): string {
  return `${amount.toLocaleString("ja-JP")}円`;
}

/** Who asked for a refund. */
export function requesterName(actor: string): string {
  if (actor.startsWith("staff:")) return "本人の取り消し";
  if (actor === "system") return "自動";
  return actor === "stripe" ? "Stripeの管理画面" : actorName(actor);
}

/** What came from Stripe, in words; currencies other than yen are no slip of a digit and are named. */
export function mismatchText({ amount, currency, reservationId }: Pick<Mismatch, "amount" | "currency" | "reservationId">): string {
  const paid = amount === null ? "支払い" : currency === null || currency.toLowerCase() === "jpy" ? `${yen(amount)}の支払い` : `${amount.toLocaleString("ja-JP")} ${currency.toUpperCase()} の支払い`;
  return reservationId === null ? `Stripeから${paid}の知らせがありましたが、どの予約のものか分かりません` : `予約 ${reservationId} に、内容の合わない${paid}がありました`;
}
