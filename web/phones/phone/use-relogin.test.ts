import { expect, it } from "vitest";
import { isGoingRound } from "./use-relogin";

it("allows a few log-ins in a row, then stops", () => {
  expect(isGoingRound([], 0)).toBe(false);
  expect(isGoingRound([0, 100], 200)).toBe(false);
  expect(isGoingRound([0, 100, 200], 300)).toBe(true);
});

it("forgets the ones of long ago", () => {
  expect(isGoingRound([0, 100, 200], 60_000)).toBe(false);
});
