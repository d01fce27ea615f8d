import { describe, expect, test } from "vitest";
import { splitLinks } from "./links";

describe("splitLinks", () => {
  test("finds addresses between Japanese words", () => {
    expect(splitLinks("地図https://example.jp/a?b=1をご覧ください。")).toEqual([
      { text: "地図" },
      { text: "https://example.jp/a?b=1", href: "https://example.jp/a?b=1" },
      { text: "をご覧ください。" },
    ]);
  });

  test("leaves the end of the sentence out", () => {
    expect(splitLinks("(see http://example.jp/a).")[1]).toEqual({ text: "http://example.jp/a", href: "http://example.jp/a" });
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "https://", "電話 03-1234-5678", "<b>太字</b>"])("%s stays text", (text) => {
    expect(splitLinks(text)).toEqual([{ text }]);
  });
});
