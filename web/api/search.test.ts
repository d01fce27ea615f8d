import { describe, expect, test } from "vitest";
import cases from "./search.cases.json";
import { matches, searchKey, VARIANTS } from "./search";

// The server's test reads the same file (`tests/roster/members/test_search_key.py`), so that the two cannot drift apart.
describe("searching", () => {
  test("has the same table of variants as the server", () => {
    expect(VARIANTS).toEqual(cases.variants);
  });

  test.each(cases.same)("%s is found as %s", (one, other) => {
    expect(searchKey(one ?? "")).toBe(searchKey(other ?? ""));
  });

  test.each(cases.different)("%s is not %s", (one, other) => {
    expect(searchKey(one ?? "")).not.toBe(searchKey(other ?? ""));
  });

  test("looks for the words in every text that there is", () => {
    expect(matches(searchKey("高橋"), "髙橋 一郎", null)).toBe(true);
    expect(matches(searchKey("たかはし"), "髙橋 一郎", "ﾀｶﾊｼ ｲﾁﾛｳ")).toBe(true);
    expect(matches(searchKey("たかはし"), "髙橋 一郎", undefined)).toBe(false);
    expect(matches("", "誰でも")).toBe(true);
  });
});
