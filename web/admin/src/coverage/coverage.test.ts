import { expect, test } from "vitest";
import { percent } from "./percent";
import { queuedText, resultText, sendText, waysText } from "./reminders";
import { coverageSearch } from "./search";

test("somebody missing never becomes everybody by rounding", () => {
  expect([percent(2999, 3000), percent(3000, 3000), percent(1, 3000), percent(0, 3000), percent(0, 0), percent(5, 6)]).toEqual(["99.9%", "100%", "0.1%", "0%", "–", "83.3%"]);
});

test("the address keeps what is understood", () => {
  expect(coverageSearch({ type: "3", year: 2026, state: "came", department: 12, other: 1 })).toEqual({ type: 3, year: 2026, state: "came", department: "12" });
  expect(coverageSearch({ type: "x", year: 1, state: "y" })).toEqual({});
});

test("the result of a reminder names only what there is", () => {
  expect(resultText({ sent: 11, recipients: 11, failed: 0, unknown: 0, pending: 0, skipped: 0 })).toBe("送信 11／11人");
  expect(resultText({ sent: 5, recipients: 11, failed: 2, unknown: 1, pending: 2, skipped: 1 })).toBe("送信 5／11人・失敗2人・届いたか不明1人・送信中2人・予約済みなどで見送り1人");
});

test("an order beyond the limit says how many are left out", () => {
  expect(queuedText({ recipients: 11, keptBack: 0 })).toBe("11人に送っています。このまま画面を閉じても、続けて送ります。");
  expect(queuedText({ recipients: 11, keptBack: 4 })).toContain("4人は、今月の上限のため送りません");
});

test('the button promises whom it reaches, found("24.A5")', () => {
  expect(sendText({ recipientsTotal: 1, unreachableTotal: 949 })).toBe("まだの950人のうち1人に送る");
  expect(sendText({ recipientsTotal: 4, unreachableTotal: 0 })).toBe("まだの4人に送る");
  expect([waysText({ line: 1, mail: 0 }), waysText({ line: 1, mail: 2 }), waysText({ line: 0, mail: 2 })]).toEqual([
    "LINEで1人に送ります",
    "LINEで1人、メールで2人に送ります",
    "メールで2人に送ります",
  ]);
});
