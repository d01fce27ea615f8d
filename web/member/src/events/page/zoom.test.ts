import { describe, expect, test } from "vitest";
import { distance, middle, moveBy, WHOLE, zoomAt } from "./zoom";

const frame = { width: 300, height: 600 };
const center = { x: 0, y: 0 };

describe("zoomAt", () => {
  test("keeps the point under the fingers where it is", () => {
    const at = { x: 60, y: -90 };
    expect(zoomAt(WHOLE, 2, at, frame)).toEqual({ scale: 2, x: -60, y: 90 });
  });

  test("stays between the whole picture and six times its size", () => {
    expect(zoomAt(WHOLE, 0.1, center, frame)).toEqual(WHOLE);
    expect(zoomAt(WHOLE, 100, center, frame).scale).toBe(6);
  });

  test("going back to the whole picture brings it back to the middle", () => {
    expect(zoomAt({ scale: 3, x: 200, y: -100 }, 0, { x: 10, y: 10 }, frame)).toEqual(WHOLE);
  });
});

test("a picture cannot be pushed off the screen", () => {
  expect(moveBy(WHOLE, { x: 50, y: 50 }, frame)).toEqual(WHOLE);
  expect(moveBy({ scale: 2, x: 0, y: 0 }, { x: 999, y: -999 }, frame)).toEqual({ scale: 2, x: 150, y: -300 });
});

test("two fingers have a middle and a distance", () => {
  expect(middle({ x: 0, y: 0 }, { x: 4, y: 6 })).toEqual({ x: 2, y: 3 });
  expect(distance({ x: 0, y: 0 }, { x: 3, y: 4 })).toBe(5);
});
