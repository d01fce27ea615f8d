import { expect, test } from "vitest";
import { arrivalIn, pauseBefore } from "./arrival";

test.each([
  ["?paid=1", "paid"],
  ["?left=1", "left"],
  ["", null],
  ["?r=2", null],
])("%s", (search, arrival) => {
  expect(arrivalIn(search)).toBe(arrival);
});

test("it is looked for about a minute, first quickly and then calmly", () => {
  const pauses: number[] = [];
  for (let pause = pauseBefore(0); pause !== null; pause = pauseBefore(pauses.length)) pauses.push(pause);
  const sum = pauses.reduce((before, pause) => before + pause, 0);
  expect(pauses[0]).toBe(1000);
  expect(sum).toBeGreaterThan(50_000);
  expect(sum).toBeLessThan(70_000);
});
