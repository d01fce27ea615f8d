import { describe, expect, test } from "vitest";
import { deliveryOf } from "./delivery";
import { asked, eventsSearch, isBackwards, onSide } from "./search";

const NOW = new Date("2027-09-10T08:00:00+09:00");

describe("the address", () => {
  test("keeps what is understood and drops the rest", () => {
    expect(eventsSearch({ past: true, query: "理事", from: "2027-09-01", to: "x", other: 1 })).toEqual({ past: true, query: "理事", from: "2027-09-01" });
    expect(eventsSearch({ past: "yes", query: "  ", from: 5 })).toEqual({});
    expect(eventsSearch({ query: 2027 })).toEqual({ query: "2027" });
  });

  test("changes sides without losing the question", () => {
    expect(onSide({ query: "理事" }, true)).toEqual({ query: "理事", past: true });
    expect(onSide({ query: "理事", past: true }, false)).toEqual({ query: "理事" });
  });
});

describe("what is asked for", () => {
  test("what comes begins with the whole of today, the nearest first", () => {
    expect(asked({}, NOW)).toEqual({ from: "2027-09-10", query: "", order: "held_at" });
  });

  test("what is past ends yesterday, the latest first", () => {
    expect(asked({ past: true }, NOW)).toEqual({ to: "2027-09-09", query: "", order: "-held_at" });
  });

  test("a period narrows either side", () => {
    expect(asked({ from: "2027-10-01", to: "2027-10-31" }, NOW)).toMatchObject({ from: "2027-10-01", to: "2027-10-31" });
    expect(asked({ from: "2027-01-01" }, NOW)).toMatchObject({ from: "2027-09-10" });
    expect(asked({ past: true, from: "2027-01-01", to: "2027-12-31" }, NOW)).toMatchObject({ from: "2027-01-01", to: "2027-09-09" });
  });

  test("a period on the other side asks for nothing", () => {
    expect(asked({ to: "2027-01-31" }, NOW)).toBeNull();
    expect(asked({ past: true, from: "2027-12-01" }, NOW)).toBeNull();
  });

  test("a period may be the wrong way round", () => {
    expect(isBackwards({ from: "2027-02-01", to: "2027-01-01" })).toBe(true);
    expect(isBackwards({ from: "2027-02-01", to: "2027-02-01" })).toBe(false);
  });
});

describe("the delivery", () => {
  const of = (success: number, fail: number, targets_total: number) =>
    deliveryOf({ targets_total, push_stats: { success, fail, last_sent_at: "2027-09-01T12:00:00+09:00" } });

  test("says what arrived, what failed and what is open", () => {
    expect(of(50, 0, 50)).toEqual({ text: "配信 50/50", tone: "calm" });
    expect(of(48, 2, 50)).toEqual({ text: "配信 48/50・失敗2", tone: "trouble" });
    expect(of(20, 0, 50)).toEqual({ text: "配信 20/50・未確定30", tone: "busy" });
    expect(deliveryOf({ targets_total: 50, push_stats: null })).toEqual({ text: "送信待ち", tone: "busy" });
  });
});
