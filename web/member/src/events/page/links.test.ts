import { describe, expect, test } from "vitest";
import { fileLink, googleLink } from "./calendar-links";
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

describe("the calendar", () => {
  const event = { title: "総会 & 懇親会", held_at: "2025-09-10T19:00:00+09:00", calendar_url: "https://a.test/1.ics?key=k" };

  test("file opens outside LINE, with and without a key", () => {
    expect(fileLink(event)).toBe("https://a.test/1.ics?key=k&openExternalBrowser=1");
    expect(fileLink({ ...event, calendar_url: "https://a.test/1.ics" })).toBe("https://a.test/1.ics?openExternalBrowser=1");
  });

  test("of Google hears the title and the hour", () => {
    const link = new URL(googleLink(event));
    expect(link.searchParams.get("text")).toBe("総会 & 懇親会");
    expect(link.searchParams.get("dates")).toBe("20250910T100000Z/20250910T110000Z");
  });
});
