import { expect, test } from "vitest";
import { rulesInWords } from "./rules";

test("the rules of a type are told in words", () => {
  expect(rulesInWords({ limitPerYear: 1, minimumDaysBetween: null, cancelUntilHours: 0, overlapAllowed: false, priceJpy: null, refundUntilHours: null })).toEqual(["年度に1回まで", "開始まで取り消せる"]);
  expect(rulesInWords({ limitPerYear: null, minimumDaysBetween: 28, cancelUntilHours: 24, overlapAllowed: true, priceJpy: 3500, refundUntilHours: 48 })).toEqual([
    "3,500円（開始の48時間前まで返金）",
    "回数の制限なし",
    "次の予約まで28日以上",
    "開始の24時間前まで取り消せる",
    "ほかの予約と同じ時間でもよい",
  ]);
});
