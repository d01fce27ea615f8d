import { describe, expect, test } from "vitest";
import { fileAddress, googleAddress } from "./calendar-addresses";
import { cannotChange } from "./cannot";
import { noticeText } from "./notice-words";
import { HELD, RESERVATION } from "./reservation.fixture";
import { movedSince } from "./since-message";

const NOW = Date.parse("2099-10-10T12:00:00+09:00");

describe("a button of an older message", () => {
  test.each([
    ["cancelled", { ...RESERVATION, canceledAt: "2099-10-09T09:00:00+09:00" }, "取り消し済みの予約です"],
    ["never paid", { ...HELD, canceledAt: "2099-10-09T09:00:00+09:00", holdExpired: true }, "取り消し済みの予約です"],
    ["over", { ...RESERVATION, serviceDateLocal: "2099-10-09" }, "終わった予約です"],
    ["received", { ...RESERVATION, attendance: "came" as const }, "受付が済んだ予約です"],
    ["too late", { ...RESERVATION, cancelableUntil: "2099-10-10T12:00:00+09:00" }, "変更の期限を過ぎました"],
    ["not paid yet", HELD, "先にお支払いをお願いします"],
  ])("about one that is %s says why it cannot be moved", (_, reservation, title) => {
    expect(cannotChange(reservation, "変更", NOW)?.title).toBe(title);
  });

  test("about a live one goes on, and an unpaid seat can be given back", () => {
    expect(cannotChange(RESERVATION, "変更", NOW)).toBeNull();
    expect(cannotChange(HELD, "取り消し", NOW)).toBeNull();
  });

  test.each([
    ["?r=0", 1, true],
    ["?r=1", 1, false],
    ["", 1, false],
    ["?r=x", 1, false],
  ])("%s of a reservation with revision %i: moved since %s", (search, revision, moved) => {
    expect(movedSince(search, revision)).toBe(moved);
  });
});

describe("the notices", () => {
  test("of a certain seat were sent, and the next one has its time", () => {
    expect(noticeText({ told: "SENT", remindAt: "2099-10-18T09:00:00+09:00" })).toBe("LINEでお知らせ済みです。リマインドは 10/18 09:00 に届きます。");
  });

  test("that failed do not hide that the seat is certain", () => {
    expect(noticeText({ told: "FAILED", remindAt: null })).toContain("予約は確定しています");
  });

  test("of somebody without LINE are none", () => {
    expect(noticeText({ told: null, remindAt: null })).toBe("");
  });
});

test("a calendar gets what and when, outside LINE's browser", () => {
  expect(fileAddress("/a.ics?key=k")).toBe("/a.ics?key=k&openExternalBrowser=1");
  const google = new URL(googleAddress(RESERVATION));
  expect(google.searchParams.get("dates")).toBe("20991020T000000Z/20991020T003000Z");
  expect(google.searchParams.get("text")).toBe("職員健診");
});
