import { describe, expect, test } from "vitest";
import { formatPeriod, formatWithWeekday, weekdayOf } from "./dates";

const NOW = new Date("2026-11-20T09:00:00+09:00");

describe('formatWithWeekday, found("24.C9")', () => {
  test.each([
    ["2026-12-07T18:00:00+09:00", "12月7日（月）18:00"],
    ["2026-09-10T15:30:00Z", "9月11日（金）00:30"],
    ["2024-02-29T00:00:00+09:00", "2024年2月29日（木）00:00"],
    ["2026-12-31T23:59:59+09:00", "12月31日（木）23:59"],
    ["2026-12-31T15:00:00Z", "2027年1月1日（金）00:00"],
    ["no time", ""],
  ])("%s is %s", (instant, shown) => {
    expect(formatWithWeekday(instant, NOW)).toBe(shown);
  });
});

test("a period carries the day of its end where that is another one", () => {
  expect(formatPeriod("2026-12-07T18:00:00+09:00", "2026-12-07T19:30:00+09:00", NOW)).toBe("12月7日（月）18:00〜19:30");
  expect(formatPeriod("2026-12-31T22:00:00+09:00", "2027-01-01T01:00:00+09:00", NOW)).toBe("12月31日（木）22:00〜2027年1月1日（金）01:00");
});

test("what is no time has no weekday", () => {
  expect(weekdayOf("no time")).toBe("");
});
