import { describe, expect, test } from "vitest";
import { addDays, addMonths, dayText, fiscalYear, isDay, minuteOf, rangeText, timeField, today, weekdayOf, weeksOf } from "./days";

describe("days", () => {
  test("today is the day in Japan", () => {
    expect(today(new Date("2026-03-31T15:00:00Z"))).toBe("2026-04-01");
    expect(today(new Date("2026-03-31T14:59:00Z"))).toBe("2026-03-31");
  });

  test("a day has to exist", () => {
    expect([isDay("2026-02-28"), isDay("2026-02-30"), isDay("2026-2-1"), isDay(5)]).toEqual([true, false, false, false]);
    expect(addDays("2026-02-28", 1)).toBe("2026-03-01");
  });

  test("Monday is 1 and Sunday is 7", () => {
    expect([weekdayOf("2026-11-16"), weekdayOf("2026-11-22")]).toEqual([1, 7]);
    expect(dayText("2026-11-22")).toBe("2026/11/22（日）");
  });

  test("the fiscal year begins in April", () => {
    expect([fiscalYear("2026-03-31"), fiscalYear("2026-04-01")]).toEqual([2025, 2026]);
  });
});

describe("months", () => {
  test("have whole weeks from Monday to Sunday", () => {
    const weeks = weeksOf("2026-11");
    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
    expect(weeks.flat().filter(Boolean)).toHaveLength(30);
    expect(weeksOf("2027-02")).toHaveLength(4);
  });

  test("follow each other over the turn of the year", () => {
    expect([addMonths("2026-12", 1), addMonths("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
  });
});

test("times are minutes since midnight", () => {
  expect(rangeText({ startMinuteOfDay: 540, durationMinutes: 30 })).toBe("9:00–9:30");
  expect([timeField(540), minuteOf("09:30"), minuteOf("")]).toEqual(["09:00", 570, null]);
});
