import { describe, expect, test } from "vitest";
import { changesOf, inWords } from "./diff";

describe("changesOf", () => {
  test("names only what changed", () => {
    expect(changesOf({ name: "理事会", sort_order: 1 }, { name: "理事会", sort_order: 2 })).toEqual([
      { field: "sort_order", had: true, old: 1, new: 2 },
    ]);
  });

  test("compares nested values by what they say", () => {
    expect(changesOf({ ids: [1, 2] }, { ids: [1, 2] })).toEqual([]);
  });

  test("knows new and removed things", () => {
    expect(changesOf(null, { name: "理事会" })).toEqual([{ field: "name", had: false, old: undefined, new: "理事会" }]);
    expect(changesOf({ name: "理事会" }, null)).toEqual([{ field: "name", had: true, old: "理事会", new: undefined }]);
  });
});

test("inWords speaks to people", () => {
  expect([null, "", true, false, 3, { a: 1 }].map(inWords)).toEqual(["（なし）", "（なし）", "はい", "いいえ", "3", '{"a":1}']);
});
