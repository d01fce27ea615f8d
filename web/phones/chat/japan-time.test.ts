import { describe, expect, it } from "vitest";
import { clockTime, clockTimeWithSeconds, dayLabel, listTime } from "./japan-time";

const at = (text: string) => Date.parse(text);

describe("clockTime", () => {
  it("shows Japanese time whatever the offset of the text", () => {
    expect(clockTime(at("2025-09-01T15:30:00+00:00"))).toBe("00:30");
    expect(clockTime(at("2025-09-01T09:05:00+09:00"))).toBe("09:05");
    expect(clockTimeWithSeconds(at("2025-09-01T09:05:07+09:00"))).toBe("09:05:07");
  });

  it("shows nothing for a time it cannot read", () => {
    expect(clockTime(Number.NaN)).toBe("");
  });
});

describe("dayLabel", () => {
  const now = at("2025-09-02T00:10:00+09:00");

  it("knows today and yesterday by the Japanese calendar, not by 24 hours", () => {
    expect(dayLabel(at("2025-09-02T00:00:00+09:00"), now)).toBe("今日");
    expect(dayLabel(at("2025-09-01T23:59:59+09:00"), now)).toBe("昨日");
  });

  it("names the weekday, and the year only when it differs", () => {
    expect(dayLabel(at("2025-08-31T12:00:00+09:00"), now)).toBe("8月31日（日）");
    expect(dayLabel(at("2024-12-31T23:00:00+09:00"), now)).toBe("2024年12月31日（火）");
  });
});

describe("listTime", () => {
  const now = at("2025-09-02T12:00:00+09:00");

  it("gets shorter with age", () => {
    expect(listTime(at("2025-09-02T08:00:00+09:00"), now)).toBe("08:00");
    expect(listTime(at("2025-09-01T08:00:00+09:00"), now)).toBe("昨日");
    expect(listTime(at("2025-07-09T08:00:00+09:00"), now)).toBe("7/9");
  });
});
