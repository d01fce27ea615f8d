import { expect, test } from "vitest";
import { formatYen } from "./money";
import { cancelWords, refundRule, refundUntilText } from "./refund-words";

const NOW = Date.parse("2099-10-10T12:00:00+09:00");
const paid = { kind: "paid", amount: 3000 } as const;

test.each([
  [50, "50円"],
  [3000, "3,000円"],
  [1234567, "1,234,567円"],
])("%i is %s", (amount, text) => {
  expect(formatYen(amount)).toBe(text);
});

test.each([
  [null, "取り消したときは、全額"],
  [0, "始まる前の"],
  [24, "24時間前まで"],
  [72, "3日前まで"],
  [50, "50時間前まで"],
  [241, "返金の期限を過ぎています"],
])("the rule of %s hours in words", (hours, words) => {
  expect(refundRule(hours, "2099-10-20T12:00:00+09:00", NOW)).toContain(words);
});

test.each([
  [null, "全額を返金します"],
  ["2099-10-10T12:00:00+09:00", "2099年10月10日（土）12:00 までの取り消し"],
  ["2099-10-10T11:59:00+09:00", "取り消しても返金はありません"],
])("who holds a seat that is refunded until %s hears it", (until, words) => {
  expect(refundUntilText(until, NOW)).toContain(words);
});

test("who cancels hears how much comes back, or that nothing does", () => {
  expect(cancelWords(paid, null, NOW)).toEqual({ text: expect.stringContaining("3,000円は、全額を返金"), lost: false });
  expect(cancelWords(paid, "2099-10-10T12:00:00+09:00", NOW)).toEqual({ text: expect.stringContaining("全額を返金"), lost: false });
  expect(cancelWords(paid, "2099-10-10T11:59:59+09:00", NOW)).toEqual({ text: expect.stringContaining("返金されません"), lost: true });
  expect(cancelWords({ kind: "due", amount: 3000, until: "" }, null, NOW)?.text).toContain("料金はかかりません");
  expect(cancelWords({ kind: "none" }, null, NOW)).toBeNull();
});
