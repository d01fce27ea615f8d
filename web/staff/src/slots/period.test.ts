import { expect, test } from "vitest";
import { periodOf } from "./period";

test.each([
  ["2026-03-31", "FY2025"],
  ["2026-04-01", "FY2026"],
  ["2026-12-31", "FY2026"],
])("%s is in %s", (day, period) => {
  expect(periodOf(day)).toBe(period);
});
