import { expect, test } from "vitest";
import { percent } from "./percent";
import { coverageSearch } from "./search";

test("somebody missing never becomes everybody by rounding", () => {
  expect([percent(2999, 3000), percent(3000, 3000), percent(1, 3000), percent(0, 3000), percent(0, 0), percent(5, 6)]).toEqual(["99.9%", "100%", "0.1%", "0%", "–", "83.3%"]);
});

test("the address keeps what is understood", () => {
  expect(coverageSearch({ type: "3", year: 2026, state: "came", department: 12, other: 1 })).toEqual({ type: 3, year: 2026, state: "came", department: "12" });
  expect(coverageSearch({ type: "x", year: 1, state: "y" })).toEqual({});
});
