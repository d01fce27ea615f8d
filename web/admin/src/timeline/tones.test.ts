import { expect, test } from "vitest";
import { isLong, toneOf } from "./tones";

test("good and bad news have a colour, everything else has none", () => {
  expect(["told", "failed", "no_answer", "booked", "something-new"].map(toneOf)).toEqual(["good", "bad", "warn", "plain", "plain"]);
});

test("the words of another system are folded, a reason is not", () => {
  expect([isLong("電話での依頼"), isLong(`HTTP 400 request_id=1 ${"x".repeat(300)}`)]).toEqual([false, true]);
});
