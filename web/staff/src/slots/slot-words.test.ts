import { expect, test } from "vitest";
import { FULL, SLOT } from "./slot.fixture";
import { dayText, firstDay, kindOf, reasonText, seatsOfDay, seatsText, typesOf } from "./slot-words";

test.each([
  [SLOT, "open", "残り4席"],
  [FULL, "full", "満席"],
  [{ ...FULL, reason: "DEPARTMENT_FULL" }, "full", "満席"],
  [{ ...FULL, myWaitingId: 3 }, "waiting", "空き待ち中"],
  [{ ...FULL, reason: "ALREADY_IN_SLOT", myReservationId: 3 }, "mine", "予約済み"],
  [{ ...FULL, reason: "BOOKING_NOT_OPEN" }, "closed", "受付前"],
  [{ ...FULL, reason: "BOOKING_CLOSED" }, "closed", "受付終了"],
  [{ ...FULL, reason: "ALREADY_BOOKED_THIS_YEAR", replaceable: 3 }, "change", "変更できます"],
  [{ ...FULL, reason: "ALREADY_BOOKED_THIS_YEAR" }, "barred", "予約済みの年度"],
  [{ ...FULL, reason: "TOO_SOON_AFTER_LAST" }, "barred", "日数が足りません"],
  [{ ...FULL, reason: "OVERLAPS" }, "barred", "時間が重なります"],
  [{ ...FULL, reason: "PAYMENT_UNAVAILABLE" }, "closed", "支払い停止中"],
])("%o is %s", (slot, kind, words) => {
  expect(kindOf(slot)).toBe(kind);
  expect(seatsText(slot)).toBe(words);
});

test("a slot that opens later says when", () => {
  const slot = { ...FULL, reason: "BOOKING_NOT_OPEN", bookingStart: "2099-10-01T09:00:00+09:00" };
  expect(reasonText(slot)).toContain("2099年10月1日（木）09:00");
});

test("every reason has words, also one that is not known here", () => {
  for (const reason of ["BOOKING_CLOSED", "SLOT_FULL", "DEPARTMENT_FULL", "TYPE_INACTIVE", "SOMETHING_NEW"]) {
    expect(reasonText({ ...FULL, reason })).toMatch(/。$/);
  }
});

test("a day says how many seats can be booked", () => {
  expect(seatsOfDay([SLOT, SLOT, FULL])).toEqual({ kind: "open", left: 8, few: false });
  expect(dayText(seatsOfDay([SLOT, FULL]))).toBe("残4");
  expect(dayText(seatsOfDay([FULL]))).toBe("満席");
  expect(dayText(seatsOfDay([]))).toBe("");
  expect(seatsOfDay([SLOT, { ...SLOT, myReservationId: 1 }]).kind).toBe("mine");
});

test("the calendar opens at the first day with a seat", () => {
  expect(firstDay([{ ...FULL, serviceDateLocal: "2099-10-01" }, SLOT], "2099-09-01")).toBe("2099-10-20");
  expect(firstDay([FULL], "2099-09-01")).toBe("2099-10-20");
  expect(firstDay([], "2099-09-01")).toBe("2099-09-01");
});

test("each type stands once", () => {
  expect(typesOf([{ ...SLOT, reservationTypeId: 2, reservationTypeName: "予防接種" }, SLOT, FULL])).toEqual([
    { id: 1, name: "職員健診" },
    { id: 2, name: "予防接種" },
  ]);
});
