import { describe, expect, test } from "vitest";
import { heldAt, heldAtError, offeredDays, heldAtText } from "./held-at";

const NOW = new Date("2027-09-10T19:00:30+09:00");

describe("date and time", () => {
  test("are Japanese time, whatever the device thinks", () => {
    expect(heldAt("2027-09-10", "19:00")).toBe("2027-09-10T19:00:00+09:00");
    expect(heldAt("2027-09-10", "00:05:30")).toBe("2027-09-10T00:05:00+09:00");
  });

  test.each([["", ""], ["2027-09-10", ""], ["2027-02-30", "10:00"], ["27-1-1", "10:00"], ["2027-09-10", "25:00"]])("%s %s is none", (date, time) => {
    expect(heldAt(date, time)).toBeNull();
  });

  test.each([
    ["", "19:00", "REQUIRED"],
    ["2027-09-10", "", "REQUIRED"],
    ["2027-02-30", "10:00", "INVALID_FORMAT"],
    ["2027-09-10", "18:59", "PAST_DATE"],
    ["2032-12-31", "10:00", "TOO_FAR"],
    ["2027-09-10", "19:00", null],
    ["2032-09-01", "10:00", null],
  ])("%s %s: %s", (date, time, error) => {
    expect(heldAtError(date, time, NOW)).toBe(error);
  });

  test("are read back with the day of the week", () => {
    expect(heldAtText("2027-09-10", "19:00")).toBe("2027年9月10日（金）19:00");
    expect(heldAtText("2027-09-10", "")).toBe("2027年9月10日（金）");
    expect(heldAtText("", "19:00")).toBeNull();
  });

  test("are offered from today in Japan on", () => {
    expect(offeredDays(new Date("2027-09-10T23:30:00Z"))).toEqual({ min: "2027-09-11", max: "2032-09-14" });
  });
});
