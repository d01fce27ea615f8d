import { describe, expect, test } from "vitest";
import { fileLink, googleLink } from "./calendar-links";

describe("the calendar", () => {
  const entry = { title: "総会 & 懇親会", start: "2025-09-10T19:00:00+09:00", fileUrl: "https://a.test/1.ics?key=k" };

  test("file opens outside LINE, with and without a key", () => {
    expect(fileLink(entry)).toBe("https://a.test/1.ics?key=k&openExternalBrowser=1");
    expect(fileLink({ ...entry, fileUrl: "https://a.test/1.ics" })).toBe("https://a.test/1.ics?openExternalBrowser=1");
  });

  test("of Google hears the title and the hour", () => {
    const link = new URL(googleLink(entry));
    expect(link.searchParams.get("text")).toBe("総会 & 懇親会");
    expect(link.searchParams.get("dates")).toBe("20250910T100000Z/20250910T110000Z");
    const longer = new URL(googleLink({ ...entry, end: "2025-09-10T21:30:00+09:00" }));
    expect(longer.searchParams.get("dates")).toBe("20250910T100000Z/20250910T123000Z");
  });
});
