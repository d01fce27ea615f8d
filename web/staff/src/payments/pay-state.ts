// What the payment of a reservation means for the person who has to pay, or has paid.
import type { Reservation } from "../api/shapes";

export type PayState =
  /** Nothing is to be paid here: it is free, the office has booked it, or an unpaid seat was given back. */
  | { kind: "none" }
  /** The seat is held until the price is paid. */
  | { kind: "due"; amount: number; until: string }
  /** The person has a slip for a convenience store and has not paid it yet. */
  | { kind: "konbini"; amount: number; until: string }
  /** The hold ran out without a payment. */
  | { kind: "expired" }
  | { kind: "paid"; amount: number }
  /** `late`: the payment came when the hold was over and the seat was gone. */
  | { kind: "refunding" | "refunded" | "stuck"; amount: number; late: boolean }
  /** Cancelled after the time until which it would have been paid back. */
  | { kind: "kept"; amount: number };

type Paying = Pick<Reservation, "payment" | "confirmedAt" | "holdExpiresAt" | "canceledAt" | "holdExpired">;

export function payStateOf(reservation: Paying, now: number = Date.now()): PayState {
  const { payment, confirmedAt, holdExpiresAt, canceledAt, holdExpired } = reservation;
  if (payment === null) return { kind: "none" };
  const amount = payment.amountJpy;
  if (payment.refund !== null) return { kind: REFUNDS[payment.refund.status], amount: payment.refund.amountJpy, late: confirmedAt === null };
  if (payment.status === "PAID") return { kind: canceledAt === null ? "paid" : "kept", amount };
  if (confirmedAt !== null || holdExpiresAt === null) return { kind: "none" };
  if (holdExpired || (canceledAt === null && now >= Date.parse(holdExpiresAt))) return { kind: "expired" };
  if (canceledAt !== null) return { kind: "none" };
  if (payment.status === "WAITING") return { kind: "konbini", amount, until: holdExpiresAt };
  // Stripe shows the time at which its page closes, so we show the same. When it has closed, another one can be opened until the hold ends.
  const isPageOpen = payment.status === "OPEN" && now < Date.parse(payment.expiresAt);
  const until = isPageOpen && Date.parse(payment.expiresAt) < Date.parse(holdExpiresAt) ? payment.expiresAt : holdExpiresAt;
  return { kind: "due", amount, until };
}

const REFUNDS = { PENDING: "refunding", DONE: "refunded", FAILED: "stuck" } as const;

/** Whether the seat is certain. Until then it is held at most. */
export function isConfirmed({ confirmedAt, holdExpiresAt }: Pick<Reservation, "confirmedAt" | "holdExpiresAt">): boolean {
  return confirmedAt !== null || holdExpiresAt === null;
}
