import { describe, expect, test } from "vitest";
import { chosenOf, chosenText, endOf, wireSlot } from "../../threads/slot-times";
import { addSlots, placeOf, slotProblem, slotsOf, weekLater } from "./slots";

const NOW = new Date("2026-12-01T12:00:00+09:00");
const MONDAY = "2026-12-07";
const slot = (date: string, start = "14:00", minutes = 60) => ({ date, start, minutes });

describe("painting on the week", () => {
  test("a click is a slot of the usual length", () => {
    expect(slotsOf(MONDAY, { column: 3, row: 14 }, { column: 3, row: 14 }, 90)).toEqual([slot("2026-12-10", "14:00", 90)]);
  });

  test("a stroke downwards is as long as the stroke, whichever end came first", () => {
    const wanted = [slot("2026-12-10", "14:00", 120)];
    expect(slotsOf(MONDAY, { column: 3, row: 14 }, { column: 3, row: 17 }, 60)).toEqual(wanted);
    expect(slotsOf(MONDAY, { column: 3, row: 17 }, { column: 3, row: 14 }, 60)).toEqual(wanted);
  });

  test("a stroke across days is the same time on each of them", () => {
    expect(slotsOf(MONDAY, { column: 5, row: 4 }, { column: 6, row: 5 }, 60)).toEqual([slot("2026-12-12", "09:00"), slot("2026-12-13", "09:00")]);
  });

  test("a slot stands where it was painted, and only on its own week", () => {
    expect(placeOf(slot("2026-12-10"), MONDAY)).toEqual({ column: 3, row: 14, rows: 2 });
    expect(placeOf(slot("2026-12-10"), "2026-12-14")).toBeNull();
    expect(placeOf(slot("2026-12-10", "05:00", 60), MONDAY)).toBeNull();
    expect(placeOf(slot("2026-12-10", "06:00", 120), MONDAY)).toEqual({ column: 3, row: 0, rows: 2 });
  });
});

describe("adding slots", () => {
  test("keeps them in the order of time", () => {
    expect(addSlots([slot("2026-12-10")], [slot("2026-12-09"), slot("2026-12-10", "09:00")], NOW).slots.map(({ date, start }) => `${date} ${start}`)).toEqual([
      "2026-12-09 14:00",
      "2026-12-10 09:00",
      "2026-12-10 14:00",
    ]);
  });

  test("leaves out what is there, what is past and what is too many, and says so", () => {
    expect(addSlots([slot("2026-12-10")], [slot("2026-12-10")], NOW)).toMatchObject({ added: 0, left_out: "同じ候補日がすでにあります" });
    expect(addSlots([], [slot("2026-12-01", "09:00")], NOW).left_out).toBe("過去の日時です。これからの日時にしてください");
    const fifty = Array.from({ length: 50 }, (_, index) => slot("2026-12-10", "10:00", index + 1));
    expect(addSlots(fifty, [slot("2026-12-11")], NOW)).toMatchObject({ added: 0, left_out: "候補日は50個までです" });
  });

  test("the same time in the next week crosses the year", () => {
    expect(weekLater(slot("2026-12-28"))).toEqual(slot("2027-01-04"));
  });

  test.each([
    [slot(""), "日付を入れてください"],
    [slot("2026-02-31"), "日付を入れてください"],
    [slot("2026-12-10", ""), "開始時刻を入れてください"],
    [slot("2026-12-10", "10:00", 0), "長さを24時間以内にしてください"],
  ])("%o is refused in words", (given, reason) => expect(slotProblem(given, NOW)).toBe(reason));
});

describe("a slot on the wire", () => {
  test("has Japanese times, also over midnight", () => {
    expect(wireSlot(slot("2026-12-31", "23:00", 90))).toEqual({ start_at: "2026-12-31T23:00:00+09:00", end_at: "2027-01-01T00:30:00+09:00" });
    expect(endOf(slot("2026-12-10", "22:00", 120))).toBe("2026-12-11T00:00:00+09:00");
  });

  test("comes back as it was entered", () => {
    expect(chosenOf({ start_at: "2026-12-10T05:00:00+00:00", end_at: "2026-12-10T15:30:00+09:00" })).toEqual(slot("2026-12-10", "14:00", 90));
  });

  test("is read with its day of the week", () => {
    expect(chosenText(slot("2026-12-10", "14:00", 90), NOW)).toBe("12/10（木） 14:00–15:30");
    expect(chosenText(slot("2027-01-04", "23:00", 120), NOW)).toBe("2027/1/4（月） 23:00–翌1:00");
  });
});
