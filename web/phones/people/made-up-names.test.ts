import { expect, it } from "vitest";
import { suggestName } from "./made-up-names";

it("throws a family and a given name together", () => {
  expect(suggestName(() => 0.5)).toMatch(/^\S+ \S+$/);
});

it("suggests an unusual name now and then", () => {
  expect(suggestName(() => 0)).toContain("勅使河原 龍之介左衛門");
});

it("always has a name, at the edges of the dice too", () => {
  for (const roll of [0, 0.2, 0.999999]) expect(suggestName(() => roll)).not.toBe("");
});
