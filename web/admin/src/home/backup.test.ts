import { expect, test } from "vitest";
import { ageOf } from "./backup";

const MADE = "2026-12-07T03:00:00+09:00";

test.each([
  ["2026-12-07T02:58:00+09:00", "1時間以内"],
  ["2026-12-07T03:59:59+09:00", "1時間以内"],
  ["2026-12-07T04:00:00+09:00", "1時間前"],
  ["2026-12-09T02:59:59+09:00", "47時間前"],
  ["2026-12-09T03:00:00+09:00", "2日前"],
  ["2027-01-06T02:00:00+09:00", "29日前"],
])("at %s the backup was made %s", (now, age) => {
  expect(ageOf(MADE, new Date(now))).toBe(age);
});
