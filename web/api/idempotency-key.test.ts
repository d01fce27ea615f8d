import { expect, test } from "vitest";
import { newIdempotencyKey } from "./idempotency-key";

test("keys are 128 random bits", () => {
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey());
});
