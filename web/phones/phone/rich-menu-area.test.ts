import { expect, it } from "vitest";
import { placeOf } from "./rich-menu-area";

it("turns the pixels of the picture into percent", () => {
  const area = { bounds: { x: 1250, y: 0, width: 1250, height: 843 }, action: {} };
  expect(placeOf(area, { width: 2500, height: 1686 })).toEqual({ left: "50%", top: "0%", width: "50%", height: "50%" });
});

it("survives a menu without a size", () => {
  const area = { bounds: { x: 1, y: 1, width: 1, height: 1 }, action: {} };
  expect(placeOf(area, { width: 0, height: 0 }).width).toBe("0%");
});
