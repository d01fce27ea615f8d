import { expect, test } from "vitest";
import type { Reservation, Slot } from "../booking/shapes";
import { attendanceCounts, sheetOf } from "./sheet";

const slot = (id: number, status = "published") => ({ id, status }) as Slot;
const person = (id: number, slotId: number, fullName: string, fullNameKana: string, staffId: string) =>
  ({ id, slotId, fullName, fullNameKana, staffId, attendance: id === 1 ? "came" : null }) as Reservation;
const PEOPLE = [person(1, 1, "山田太郎", "ヤマダタロウ", "0012"), person(2, 2, "佐藤花子", "サトウハナコ", "446752")];

test("people stand below their slots, and drafts without people are left out", () => {
  const sheet = sheetOf([slot(1), slot(2), slot(3), slot(4, "draft")], PEOPLE, "");
  expect(sheet.map(({ slot: { id }, people }) => [id, people.length])).toEqual([
    [1, 1],
    [2, 1],
    [3, 0],
  ]);
});

test.each(["やまだ", "ﾔﾏﾀﾞ", "山田", "001"])("%s finds the person and hides the other slots", (words) => {
  expect(sheetOf([slot(1), slot(2), slot(3)], PEOPLE, words).map(({ slot: { id } }) => id)).toEqual([1]);
});

test("the day is counted", () => {
  expect(attendanceCounts(PEOPLE)).toEqual({ all: 2, came: 1, absent: 0, open: 1 });
});
