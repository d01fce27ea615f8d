import { describe, expect, test } from "vitest";
import { moved, placeOfNew, placesFor } from "./order";

const group = (id: number, sort_order: number | null) => ({ id, sort_order, name: `グループ${id}`, member_count: 0 });

describe("moved", () => {
  test("puts one at its new place and keeps the others as they are", () => {
    const list = [group(1, 10), group(2, 20), group(3, 30)];
    expect(moved(list, 3, 0).map(({ id }) => id)).toEqual([3, 1, 2]);
    expect(moved(list, 1, 2).map(({ id }) => id)).toEqual([2, 3, 1]);
    expect(moved(list, 9, 0)).toEqual(list);
  });
});

describe("placesFor", () => {
  test("changes the moved one only, where there is room", () => {
    expect(placesFor([group(1, 10), group(3, 30), group(2, 20)], 3)).toEqual([{ id: 3, sort_order: 15 }]);
    expect(placesFor([group(3, 30), group(1, 10), group(2, 20)], 3)).toEqual([{ id: 3, sort_order: 0 }]);
    expect(placesFor([group(2, 20), group(3, 30), group(1, 10)], 1)).toEqual([{ id: 1, sort_order: 40 }]);
  });

  test("numbers all anew where there is none", () => {
    const places = placesFor([group(1, 1), group(3, 3), group(2, 2)], 3);
    expect(places).toEqual([
      { id: 1, sort_order: 10 },
      { id: 3, sort_order: 20 },
      { id: 2, sort_order: 30 },
    ]);
  });

  test("gives a place to those who have none", () => {
    expect(placesFor([group(2, null), group(1, null)], 2).map(({ id }) => id)).toEqual([2, 1]);
    expect(placesFor([group(1, 10), group(3, null), group(2, null)], 1)).toHaveLength(2);
  });

  test("does not trust equal places of the others, which sort by name", () => {
    expect(placesFor([group(3, 30), group(1, 20), group(2, 20)], 3)).toHaveLength(2);
  });
});

test("a new group goes to the end", () => {
  expect(placeOfNew([])).toBe(10);
  expect(placeOfNew([group(1, 30), group(2, null)])).toBe(40);
});
