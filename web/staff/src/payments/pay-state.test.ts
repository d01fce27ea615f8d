import { expect, test } from "vitest";
import { HELD, PAYMENT, RESERVATION } from "../reservations/reservation.fixture";
import { isConfirmed, payStateOf } from "./pay-state";
import { receiptNote, receiptWord } from "./receipt";

const NOW = Date.parse("2099-10-10T12:00:00+09:00");
const CANCELLED = "2099-10-11T09:00:00+09:00";
const paid = { ...RESERVATION, payment: { ...PAYMENT, status: "PAID" as const } };
const refund = (status: "PENDING" | "DONE" | "FAILED") => ({ ...paid, canceledAt: CANCELLED, payment: { ...paid.payment, refund: { status, amountJpy: 3000 } } });

test.each([
  ["free, or booked by the office", RESERVATION, "none"],
  ["held", HELD, "due"],
  ["held, and Stripe could not be reached", { ...HELD, payment: { ...PAYMENT, status: "CREATING" as const, checkoutUrl: null } }, "due"],
  ["a slip for a convenience store", { ...HELD, payment: { ...PAYMENT, status: "WAITING" as const } }, "konbini"],
  ["a failed card", { ...HELD, payment: { ...PAYMENT, status: "FAILED" as const } }, "due"],
  ["the hold ran out a moment ago", { ...HELD, holdExpiresAt: "2099-10-10T12:00:00+09:00" }, "expired"],
  ["the server has cancelled the hold", { ...HELD, canceledAt: CANCELLED, holdExpired: true }, "expired"],
  ["given back by the person", { ...HELD, canceledAt: CANCELLED }, "none"],
  ["paid", paid, "paid"],
  ["cancelled without a refund", { ...paid, canceledAt: CANCELLED }, "kept"],
  ["being refunded", refund("PENDING"), "refunding"],
  ["refunded", refund("DONE"), "refunded"],
  ["refund refused", refund("FAILED"), "stuck"],
])("%s", (_, reservation, kind) => {
  expect(payStateOf(reservation, NOW).kind).toBe(kind);
});

test("a payment that came too late says that there is no reservation", () => {
  const late = { ...refund("PENDING"), confirmedAt: null, holdExpiresAt: HELD.holdExpiresAt, holdExpired: true };
  expect(receiptNote(payStateOf(late, NOW))).toContain("予約は確定していません");
  expect(receiptNote(payStateOf(refund("DONE"), NOW))).not.toContain("席がほかの方");
});

test("a reservation that somebody wrote by hand is certain", () => {
  expect(isConfirmed({ confirmedAt: null, holdExpiresAt: null })).toBe(true);
  expect(isConfirmed(HELD)).toBe(false);
});

test("one word says how the money stands", () => {
  const words = [paid, refund("PENDING"), refund("DONE"), HELD].map((one) => receiptWord(payStateOf(one, NOW)));
  expect(words).toEqual(["支払い済み", "返金手続き中", "返金済み", null]);
});

test('the portal shows the moment that Stripe shows, found("24.B8")', () => {
  expect(payStateOf(HELD, NOW)).toMatchObject({ kind: "due", until: PAYMENT.expiresAt });
  expect(payStateOf(HELD, Date.parse("2099-10-10T12:32:00+09:00"))).toMatchObject({ kind: "due", until: HELD.holdExpiresAt });
  const nearBegin = { ...HELD, holdExpiresAt: "2099-10-10T12:20:00+09:00" };
  expect(payStateOf(nearBegin, NOW)).toMatchObject({ kind: "due", until: nearBegin.holdExpiresAt });
});
