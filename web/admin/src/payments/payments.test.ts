import { expect, test } from "vitest";
import { isNarrowed, narrowed, paymentsSearch } from "./search";
import { mismatchText, requesterName, yen } from "./words";

test("the address keeps what is understood and drops the rest", () => {
  expect(paymentsSearch({ status: "PAID", refund: "x", from: "2026-04-01", to: "soon", q: 446752 })).toEqual({ status: "PAID", from: "2026-04-01", q: "446752" });
  expect(narrowed({ status: "PAID", q: "山田" }, "status", "")).toEqual({ q: "山田" });
  expect([isNarrowed({}), isNarrowed({ refund: "DONE" })]).toEqual([false, true]);
});

test("people see yen, and who asked for a refund", () => {
  expect(yen(1234567)).toBe("1,234,567円");
  expect(["staff:7f3c", "system", "stripe", "admin:jimukyoku"].map(requesterName)).toEqual(["本人の取り消し", "自動", "Stripeの管理画面", "jimukyoku"]);
});

test("money that does not fit says what is known", () => {
  expect(mismatchText({ amount: 2000, currency: "jpy", reservationId: 501 })).toBe("予約 501 に、内容の合わない2,000円の支払いがありました");
  expect(mismatchText({ amount: 20, currency: "usd", reservationId: 501 })).toContain("20 USD の支払い");
  expect(mismatchText({ amount: null, currency: null, reservationId: null })).toContain("どの予約のものか分かりません");
});
