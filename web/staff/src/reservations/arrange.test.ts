import { expect, test } from "vitest";
import { arrange, badgeOf, isChangeable, stillWaiting } from "./arrange";
import { RESERVATION } from "./reservation.fixture";

const NOW = Date.parse("2099-10-10T12:00:00+09:00");
const later = { ...RESERVATION, id: 502, serviceDateLocal: "2099-11-01" };
const over = { ...RESERVATION, id: 503, serviceDateLocal: "2099-10-10", startMinuteOfDay: 600 };
const cancelled = { ...RESERVATION, id: 504, canceledAt: "2099-10-02T09:00:00+09:00" };
const running = { ...RESERVATION, id: 505, serviceDateLocal: "2099-10-10", startMinuteOfDay: 710 };

test("what comes next stands first, what is over or cancelled is history", () => {
  const { coming, past } = arrange([later, cancelled, over, RESERVATION, running], NOW);
  expect(coming.map(({ id }) => id)).toEqual([505, 501, 502]);
  expect(past.map(({ id }) => id)).toEqual([504, 503]);
});

test.each([
  [RESERVATION, "予約中"],
  [cancelled, "取り消し"],
  [over, "終了"],
  [{ ...over, attendance: "came" as const }, "受付済み"],
  [{ ...over, attendance: "absent" as const }, "欠席"],
])("%o has its badge", (reservation, label) => {
  expect(badgeOf(reservation, NOW).label).toBe(label);
});

test("until the deadline, and not after it", () => {
  expect(isChangeable(RESERVATION, Date.parse("2099-10-19T08:59:59+09:00"))).toBe(true);
  expect(isChangeable(RESERVATION, Date.parse("2099-10-19T09:00:00+09:00"))).toBe(false);
  expect(isChangeable(cancelled, NOW)).toBe(false);
});

test("a place that has ended is no longer waited in", () => {
  const place = {
    id: 1,
    slotId: 2,
    reservationTypeId: 1,
    reservationTypeName: "職員健診",
    serviceDateLocal: "2099-10-20",
    startMinuteOfDay: 540,
    durationMinutes: 30,
    position: 1,
    promotionUntil: "2099-10-19T09:00:00+09:00",
    createdAt: "2099-10-01T09:00:00+09:00",
    endedAt: null,
    outcome: null,
    reservationId: null,
    skippedBecause: null,
    skippedAt: null,
  };
  const ended = { ...place, id: 2, endedAt: "2099-10-01T09:00:00+09:00", outcome: "promoted" as const };
  expect(stillWaiting([ended, place]).map(({ id }) => id)).toEqual([1]);
});
