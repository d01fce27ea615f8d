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
  const of = (success: number, fail: number, unknown: number, pending: number) =>
    deliveryOf({ targets_total: 50, waits_to_be_sent: false, push_stats: { success, fail, unknown, pending, last_sent_at: "2027-09-01T12:00:00+09:00" } });

  test("says what arrived, what failed and what is open", () => {
    expect(of(50, 0, 0, 0)).toEqual({ text: "配信 50/50", tone: "calm" });
    expect(of(48, 2, 0, 0)).toEqual({ text: "配信 48/50・失敗2", tone: "trouble" });
    expect(of(20, 0, 0, 30)).toEqual({ text: "配信 20/50・送信中", tone: "busy" });
    expect(of(49, 0, 1, 0)).toEqual({ text: "配信 49/50・不明1", tone: "busy" });
    expect(of(47, 1, 1, 1)).toEqual({ text: "配信 47/50・失敗1・不明1・送信中", tone: "trouble" });
    expect(deliveryOf({ targets_total: 50, waits_to_be_sent: true, push_stats: null })).toEqual({ text: "送信待ち", tone: "busy" });
  });

  test('says nothing of waiting where nothing is ever sent, found("24.B3")', () => {
    expect(deliveryOf({ targets_total: 50, waits_to_be_sent: false, push_stats: null })).toEqual({ text: "案内の送信なし", tone: "calm" });
  });
});
