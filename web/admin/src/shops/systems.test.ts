import { expect, test } from "vitest";
import { lightText, type OutsideSystem, pauseText, systemName } from "./systems";

const STORES: OutsideSystem = {
  system: "stores",
  light: "ok",
  failures_in_a_row: 0,
  last_success_at: "2026-11-20T10:15:00+09:00",
  last_failure_at: null,
  last_error: null,
  breaker: "closed",
  open_until: null,
};

test("a pause says until when, and nothing while calls go through", () => {
  expect(pauseText(STORES)).toBeNull();
  expect(pauseText({ breaker: "open", open_until: "2026-11-20T01:20:00Z" })).toBe("一時停止中（再開の予定 2026/11/20 10:20）");
  expect(pauseText({ breaker: "half_open", open_until: null })).toContain("再開を確認中");
});

test("a light says why it is on", () => {
  expect(lightText(STORES)).toBe("最後の成功 2026/11/20 10:15");
  expect(lightText({ ...STORES, light: "fail", failures_in_a_row: 4, last_failure_at: "2026-11-20T10:16:00+09:00" })).toBe(
    "4回続けて失敗（2026/11/20 10:16）・最後の成功 2026/11/20 10:15",
  );
  expect(lightText({ ...STORES, light: "warn", last_failure_at: "2026-11-20T10:16:00+09:00" })).toContain("最後の呼び出しに失敗");
  expect(lightText({ ...STORES, light: "unknown", last_success_at: null })).toBe("まだ一度も呼び出していません。");
});

test("a system that is called all the time is not said to be uncalled", () => {
  expect(lightText({ ...STORES, system: "line", light: "unknown", last_success_at: null })).toBe("失敗した記録はありません。");
});

test("a system without a name of its own is called by its code", () => {
  expect([systemName("stores"), systemName("fax")]).toEqual(["STORES予約", "fax"]);
});
