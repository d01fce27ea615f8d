import { expect, test } from "vitest";
import { idleAt } from "./idle";

test("four minutes pass in silence, then a minute is counted down", () => {
  expect(idleAt(0, 239_999)).toEqual({ kind: "active" });
  expect(idleAt(0, 240_000)).toEqual({ kind: "warning", secondsLeft: 60 });
  expect(idleAt(0, 299_001)).toEqual({ kind: "warning", secondsLeft: 1 });
  expect(idleAt(0, 300_000)).toEqual({ kind: "over" });
});

test("a clock that was set back does not log anybody out", () => {
  expect(idleAt(10_000, 0)).toEqual({ kind: "active" });
});
