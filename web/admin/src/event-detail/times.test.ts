import { expect, test } from "vitest";
import { asOfInstant, dayAndTime, distance, instantOf, withWeekday } from "./times";

const NOON = new Date("2025-09-01T12:00:30+09:00");

test("what is picked and what is sent are Japanese time both ways", () => {
  expect(dayAndTime("2025-09-10T10:00:00Z")).toEqual({ date: "2025-09-10", time: "19:00" });
  expect(instantOf({ date: "2025-09-10", time: "19:00" })).toBe("2025-09-10T19:00:00+09:00");
  expect(instantOf({ date: "2025-02-30", time: "19:00" })).toBeNull();
  expect(instantOf({ date: "", time: "19:00" })).toBeNull();
});

test("the day of the week is Japan's", () => {
  expect(withWeekday("2025-09-09T20:00:00Z")).toBe("2025/09/10 05:00（水）");
});

test.each([
  ["2025-08-31T23:59:00+09:00", "終了"],
  ["2025-09-01T09:00:00+09:00", "今日"],
  ["2025-09-01T23:59:00+09:00", "今日"],
  ["2025-09-02T00:00:00+09:00", "明日"],
  ["2025-09-10T09:00:00+09:00", "あと9日"],
])("%s is %s away", (heldAt, words) => {
  expect(distance(heldAt, NOON)).toBe(words);
});

test("a past minute is asked for as a whole, the running one from its beginning", () => {
  expect(asOfInstant("2025-09-01T11:59", NOON)).toBe("2025-09-01T11:59:59+09:00");
  expect(asOfInstant("2025-09-01T12:00", NOON)).toBe("2025-09-01T12:00:00+09:00");
  expect(asOfInstant("yesterday", NOON)).toBeNull();
});
