import { expect, test } from "vitest";
import { addDays, beginOf, formatDay, formatShortDay, formatSpan, formatTimes, isDay, isOver, today, weekOf } from "./days";

const SPAN = { serviceDateLocal: "2026-10-20", startMinuteOfDay: 545, durationMinutes: 30 };

test("the day changes at midnight in Japan", () => {
  expect(today(new Date("2026-10-19T14:59:59Z"))).toBe("2026-10-19");
  expect(today(new Date("2026-10-19T15:00:00Z"))).toBe("2026-10-20");
});

test("days are counted over the ends of months and years", () => {
  expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
  expect(addDays("2028-03-01", -1)).toBe("2028-02-29");
});

test.each(["2026-10-20", "2026-10-25", "2026-10-19"])("the week of %s begins on Monday", (day) => {
  expect(weekOf(day)[0]).toBe("2026-10-19");
  expect(weekOf(day)[6]).toBe("2026-10-25");
});

test.each(["2026-02-30", "20261020", "x", "2026-13-01"])("%s is no day", (text) => {
  expect(isDay(text)).toBe(false);
});

test("a day of another year says the year", () => {
  expect(formatDay("2026-10-20", "2026")).toBe("10月20日（火）");
  expect(formatDay("2027-01-04", "2026")).toBe("2027年1月4日（月）");
  expect(formatShortDay("2026-10-05")).toBe("10/5(月)");
});

test("times are written as people say them", () => {
  expect(formatTimes(SPAN)).toBe("9:05〜9:35");
  expect(formatSpan({ ...SPAN, serviceDateLocal: `${today().slice(0, 4)}-01-01` })).toMatch(/^1月1日（.）9:05〜9:35$/);
  expect(beginOf(SPAN)).toBe("2026-10-20T09:05:00+09:00");
});

test("it is over when its last minute has passed", () => {
  expect(isOver(SPAN, Date.parse("2026-10-20T09:34:59+09:00"))).toBe(false);
  expect(isOver(SPAN, Date.parse("2026-10-20T09:35:00+09:00"))).toBe(true);
});
