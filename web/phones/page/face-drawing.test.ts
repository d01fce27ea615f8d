import { expect, it } from "vitest";
import { drawingOf } from "./face-drawing";

it("draws a person alike every time", () => {
  expect(drawingOf("U123")).toEqual(drawingOf("U123"));
});

it("tells hundreds of people apart by more than a few faces", () => {
  const faces = new Set(Array.from({ length: 300 }, (_, n) => JSON.stringify(drawingOf(`U${n}`))));
  expect(faces.size).toBeGreaterThan(150);
});

it("draws anybody, whatever the id", () => {
  for (const id of ["", "U1", "あ".repeat(40)]) {
    expect(Object.values(drawingOf(id))).not.toContain(undefined);
  }
});
