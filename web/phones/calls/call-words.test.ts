import { describe, expect, it } from "vitest";
import type { Call } from "../client/types";
import { filterCalls, noteOf, wayOf } from "./call-words";

function call(n: number, change: Partial<Call>): Call {
  return { n, at: "", direction: "in", method: "POST", path: "/v2/bot/message/push", status: 200, ms: 3, ...change };
}

const calls = [
  call(1, {}),
  call(2, { direction: "out", path: "/api/line/webhook", status: 503 }),
  call(3, { direction: "out", path: "/api/liff/events/7/respond", status: 201 }),
  call(4, { path: "/liff/1-a/events/7", status: 302 }),
  call(5, { status: null }),
];

describe("filterCalls", () => {
  it("tells the directions and the failures apart", () => {
    const numbers = (filter: Parameters<typeof filterCalls>[1]) => filterCalls(calls, filter).map(({ n }) => n);
    expect(numbers("all")).toEqual([1, 2, 3, 4, 5]);
    expect(numbers("in")).toEqual([1, 4, 5]);
    expect(numbers("out")).toEqual([2, 3]);
    expect(numbers("failed")).toEqual([2, 5]);
  });
});

it("names who called whom", () => {
  expect(calls.map(wayOf)).toEqual(["本体 → LINE役", "LINE役 → 本体", "電話 → 本体", "電話 → LINE役", "本体 → LINE役"]);
});

it("tells LINE and Stripe apart", () => {
  const stripe = [
    call(6, { path: "/v1/checkout/sessions", status: 500, note: "fault: error_500_before" }),
    call(7, { path: "/c/pay/cs_test_1", status: 303, note: "pay / card" }),
    call(8, { direction: "out", path: "/api/stripe/webhook", note: "checkout.session.completed" }),
  ];
  expect(stripe.map(wayOf)).toEqual(["本体 → Stripe役", "電話 → Stripe役", "Stripe役 → 本体"]);
  expect(stripe.map(noteOf)).toEqual(["わざと：Stripe停止", "支払いページ / カードで支払う", "checkout.session.completed"]);
});

it("names the other systems", () => {
  const others = [
    call(9, { path: "/reserve/202101/customers", status: 503, note: "fault: error_status" }),
    call(10, { path: "/chatwork/v2/rooms/1/messages", status: null, note: "fault: timeout_after_accept" }),
    call(11, { path: "/twilio/2010-04-01/Accounts/AC1/Messages.json" }),
    call(12, { path: "/openai/v1/models" }),
  ];
  expect(others.map(wayOf)).toEqual(["本体 → STORES役", "本体 → ChatWork役", "本体 → SMS役", "本体 → 言語モデル役"]);
  expect(others.map(noteOf)).toEqual(["わざと：エラー", "わざと：済んだのに返事なし", "", ""]);
});

describe("noteOf", () => {
  it.each([
    [null, ""],
    ["follow (redelivery)", "友だち追加（再送）"],
    ["fault: rate_limited", "わざと：混雑"],
    ["fault: weather", "わざと：weather"],
    ["山田 太郎 / could_not_connect", "山田 太郎 / つながりません"],
    ["Emi Tanaka：出席 / NOT_REGISTERED", "Emi Tanaka：出席 / NOT_REGISTERED"],
    ["Authentication failed.", "Authentication failed."],
  ])("%s → %s", (note, words) => {
    expect(noteOf(call(1, { note }))).toBe(words);
  });
});
