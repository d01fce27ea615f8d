import { expect, test } from "vitest";
import { alarmsOf } from "./alarms";
import { isUntold } from "./words";
import type { NoticeSummary } from "./queries";

const NOW = new Date("2026-12-08T08:20:00+09:00");
const calm: NoticeSummary = {
  counts: { PENDING: 3, SENT: 40, FAILED: 2, UNKNOWN: 0, DASH: 9, NONE: 0 },
  quota: { limit: 200, used: 40, left: 157, promised: 3 },
  last_run: "2026/12/08 08:19",
  oldest_due: null,
  failures_in_a_row: 0,
  paused: null,
  dry_run: false,
  causes: [],
};
const keys = (summary: Partial<NoticeSummary>) => alarmsOf({ ...calm, ...summary }, NOW).map(({ key }) => key);

test("failures of appointments that are over are no alarm", () => {
  expect(keys({})).toEqual([]);
});

test("a rest of ten minutes counts only while something is due", () => {
  expect(keys({ last_run: "2026/12/08 08:10", oldest_due: "2026/12/08 08:05" })).toEqual(["stalled"]);
  expect(keys({ last_run: "2026/12/08 08:11", oldest_due: "2026/12/08 08:05" })).toEqual([]);
  expect(keys({ last_run: "2026/12/07 08:00" })).toEqual([]);
  expect(keys({ last_run: null, oldest_due: "2026/12/08 08:05" })).toEqual(["stalled"]);
});

test("a pause and a dry run explain why nothing goes out", () => {
  const late = { last_run: null, oldest_due: "2026/12/08 08:05", failures_in_a_row: 5 };
  expect(keys({ ...late, paused: { since: "2026/12/08 08:00", by: "admin:jimukyoku", reason: "訓練" } })).toEqual(["paused"]);
  expect(alarmsOf({ ...calm, paused: { since: "2026/12/08 08:00", by: "admin:jimukyoku", reason: "訓練" } }, NOW)[0]?.text).toContain("2026/12/08 08:00 にjimukyokuさんが停止しました（理由：訓練）");
  expect(keys({ ...late, dry_run: true })).toEqual(["dry-run"]);
});

test("the monthly limit is named by itself, with what is left", () => {
  const causes: NoticeSummary["causes"] = [
    { reason: "QUOTA", count: 12, resendable: 12 },
    { reason: "TOKEN", count: 2, resendable: 2 },
  ];
  const found = alarmsOf({ ...calm, causes, failures_in_a_row: 3, counts: { ...calm.counts, NONE: 1 } }, NOW);
  expect(found.map(({ key }) => key)).toEqual(["missing", "quota", "failed"]);
  expect(found[1]).toMatchObject({ title: "今月の上限に達して、これからの予約の通知12件を送れませんでした" });
  expect(found[1]?.text).toContain("157通");
});

test("several failures in a row name the most frequent reason", () => {
  expect(keys({ failures_in_a_row: 2 })).toEqual([]);
  const [found] = alarmsOf({ ...calm, failures_in_a_row: 3, causes: [{ reason: "TOKEN", count: 3, resendable: 3 }] }, NOW);
  expect(found).toMatchObject({ key: "failing", title: "送信が3回つづけて失敗しています" });
  expect(found?.text).toContain("「LINEの接続設定」");
});

test('found("24.C7"): a notice that nobody got is no notice that is not needed', () => {
  expect(isUntold({ status: "DASH", reason: "NO_LINE_LINK", mail: null })).toBe(true);
  expect(isUntold({ status: "DASH", reason: "NO_LINE_LINK", mail: { status: "SENT" } })).toBe(false);
  expect(isUntold({ status: "DASH", reason: "NOT_CANCELLED", mail: null })).toBe(false);
  expect(isUntold({ status: "FAILED", reason: "QUOTA", mail: null })).toBe(false);
});

test('found("24.C7"): a banner says that it counts appointments that are ahead, as the chips count all', () => {
  const [found] = alarmsOf({ ...calm, causes: [{ reason: "TOKEN", count: 2, resendable: 2 }] }, NOW);
  expect(found?.title).toBe("これからの予約で、送れなかった通知が2件あります");
});
