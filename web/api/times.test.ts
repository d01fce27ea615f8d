import { describe, expect, test } from "vitest";
import { endOfDayInJapan, formatDate, formatDateTime, formatRemaining, jstMilliseconds } from "./times";

describe("formatDateTime", () => {
  test("shows what the server sent in Japanese time as it is", () => {
    expect(formatDateTime("2025-09-01T12:00:00+09:00")).toBe("2025/09/01 12:00");
  });

  test("shows other offsets in Japanese time", () => {
    expect(formatDateTime("2025-12-31T15:30:00Z")).toBe("2026/01/01 00:30");
  });

  test("takes a date", () => {
    expect(formatDateTime(new Date(Date.UTC(2025, 0, 2, 3, 4)))).toBe("2025/01/02 12:04");
  });

  test("shows nothing for what is no time", () => {
    expect(formatDateTime("soon")).toBe("");
    expect(formatDate("")).toBe("");
  });
});

describe("formatDate", () => {
  test("changes the day at midnight in Japan", () => {
    expect(formatDate("2025-08-31T14:59:59Z")).toBe("2025/08/31");
    expect(formatDate("2025-08-31T15:00:00Z")).toBe("2025/09/01");
  });
});

describe("formatRemaining", () => {
  test.each([
    [600, "10分00秒"],
    [572.2, "9分33秒"],
    [60, "1分00秒"],
    [59, "59秒"],
    [0, "0秒"],
    [-3, "0秒"],
  ])("%d seconds are %s", (seconds, words) => {
    expect(formatRemaining(seconds)).toBe(words);
  });
});

describe("endOfDayInJapan", () => {
  test.each([
    ["2025-09-10T19:00:00+09:00", "2025-09-10T15:00:00.000Z"],
    ["2025-09-10T00:00:00+09:00", "2025-09-10T15:00:00.000Z"],
    ["2025-12-31T15:30:00Z", "2026-01-01T15:00:00.000Z"],
  ])("%s ends at %s", (instant, end) => {
    expect(new Date(endOfDayInJapan(instant)).toISOString()).toBe(end);
  });

  test("something that is no time has no end", () => {
    expect(endOfDayInJapan("soon")).toBeNaN();
  });
});

test("a Japanese time of the server is read as one", () => {
  expect(new Date(jstMilliseconds("2026/12/08 08:00")).toISOString()).toBe("2026-12-07T23:00:00.000Z");
  expect(jstMilliseconds("2026-12-08T08:00:00Z")).toBeNaN();
});
