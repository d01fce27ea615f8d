import { describe, expect, test } from "vitest";
import { formatWithWeekday } from "./dates";

describe("formatWithWeekday", () => {
  test.each([
    ["2025-09-10T19:00:00+09:00", "2025/09/10(水) 19:00"],
    ["2025-09-10T15:30:00Z", "2025/09/11(木) 00:30"],
    ["2024-02-29T00:00:00+09:00", "2024/02/29(木) 00:00"],
    ["2026-12-31T23:59:59+09:00", "2026/12/31(木) 23:59"],
    ["no time", ""],
  ])("%s is %s", (instant, shown) => {
    expect(formatWithWeekday(instant)).toBe(shown);
  });
});
