// The dates that somebody chooses: from fields, or painted on the week.
import { addDays, isDay, minuteOf, timeField } from "../../booking/days";
import { type ChosenSlot, startOf } from "../../threads/slot-times";
import { MOST_SLOTS } from "../../threads/thread";

/** Half an hour: one cell of the week. */
export const CELL_MINUTES = 30;
export const FIRST_HOUR = 7;
export const LAST_HOUR = 22;
export const CELLS = ((LAST_HOUR - FIRST_HOUR) * 60) / CELL_MINUTES;
export const LONGEST_MINUTES = 24 * 60;

export function sameSlot(one: ChosenSlot, other: ChosenSlot): boolean {
  return one.date === other.date && one.start === other.start && one.minutes === other.minutes;
}

export function inOrder(slots: readonly ChosenSlot[]): ChosenSlot[] {
  const key = ({ date, start, minutes }: ChosenSlot) => `${date} ${start} ${String(minutes).padStart(5, "0")}`;
  return [...slots].sort((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}

/** Why a date cannot be chosen, or null. */
export function slotProblem(slot: ChosenSlot, now: Date): string | null {
  if (!isDay(slot.date)) return "日付を入れてください";
  if (minuteOf(slot.start) === null) return "開始時刻を入れてください";
  if (!(slot.minutes > 0 && slot.minutes <= LONGEST_MINUTES)) return "長さを24時間以内にしてください";
  if (Date.parse(startOf(slot)) <= now.getTime()) return "過去の日時です。これからの日時にしてください";
  return null;
}

export interface Added {
  slots: ChosenSlot[];
  added: number;
  /** Why some were left out, in words; null when none was. */
  left_out: string | null;
}

/** Adds what can be added. What is there already, or past, or beyond the limit, is left out and said. */
export function addSlots(slots: readonly ChosenSlot[], more: readonly ChosenSlot[], now: Date): Added {
  const result = [...slots];
  const reasons = new Set<string>();
  for (const slot of more) {
    const problem = slotProblem(slot, now);
    if (problem !== null) reasons.add(problem);
    else if (result.some((other) => sameSlot(other, slot))) reasons.add("同じ候補日がすでにあります");
    else if (result.length >= MOST_SLOTS) reasons.add(`候補日は${MOST_SLOTS}個までです`);
    else result.push(slot);
  }
  return { slots: inOrder(result), added: result.length - slots.length, left_out: reasons.size === 0 ? null : [...reasons].join("。") };
}

export function weekLater(slot: ChosenSlot): ChosenSlot {
  return { ...slot, date: addDays(slot.date, 7) };
}

/** One cell of the week: a column (0–6) and a row (half hours from the first hour). */
export interface Cell {
  column: number;
  row: number;
}

/** The rectangle between two cells, whichever was first. */
export function painted(from: Cell, to: Cell) {
  return {
    left: Math.min(from.column, to.column),
    right: Math.max(from.column, to.column),
    top: Math.min(from.row, to.row),
    bottom: Math.max(from.row, to.row),
  };
}

/**
 * The slots of a painted rectangle: the same time on every day that it touches. A single cell is a click, and becomes a
 * slot of the usual length.
 */
export function slotsOf(monday: string, from: Cell, to: Cell, usualMinutes: number): ChosenSlot[] {
  const { left, right, top, bottom } = painted(from, to);
  const minutes = top === bottom ? usualMinutes : (bottom - top + 1) * CELL_MINUTES;
  const start = timeField(FIRST_HOUR * 60 + top * CELL_MINUTES);
  return Array.from({ length: right - left + 1 }, (_, index) => ({ date: addDays(monday, left + index), start, minutes }));
}

/** Where a slot stands on the week, in rows; null when it is on another week or outside the hours that are drawn. */
export function placeOf(slot: ChosenSlot, monday: string): { column: number; row: number; rows: number } | null {
  const column = Array.from({ length: 7 }, (_, index) => addDays(monday, index)).indexOf(slot.date);
  const from = (minuteOf(slot.start) ?? 0) - FIRST_HOUR * 60;
  const to = Math.min(from + slot.minutes, (LAST_HOUR - FIRST_HOUR) * 60);
  const top = Math.max(0, from);
  if (column < 0 || to <= top) return null;
  return { column, row: top / CELL_MINUTES, rows: (to - top) / CELL_MINUTES };
}
