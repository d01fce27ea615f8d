import { expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { Intention, isDecided } from "./use-action";

const refusal = (status: number, code = "X") => new ApiError(status, code, "", [], null, null);

test.each([
  [new Unreachable(), false],
  [refusal(503), false],
  [refusal(429), false],
  [refusal(401), false],
  [refusal(409, "IN_FLIGHT"), false],
  [refusal(409, "SLOT_FULL"), true],
  [refusal(404), true],
])("%s: decided %s", (error, decided) => {
  expect(isDecided(error)).toBe(decided);
});

test("the key stays until the server has decided, and the next intention has another", async () => {
  const intention = new Intention();
  const keys: string[] = [];
  const outcomes = [new Unreachable(), refusal(503), refusal(409, "SLOT_FULL"), null, null];
  const send = vi.fn(async (key: string) => {
    keys.push(key);
    const outcome = outcomes.shift();
    if (outcome) throw outcome;
  });
  for (let attempt = 0; attempt < 5; attempt++) await intention.carryOut(send).catch(() => {});
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(new Set(keys).size).toBe(3);
});
