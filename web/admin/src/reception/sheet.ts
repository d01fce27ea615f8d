import { matches, searchKey } from "../../../api/search";
import type { Reservation, Slot } from "../booking/shapes";

export interface SheetSlot {
  slot: Slot;
  people: Reservation[];
}

/** The slots of a day with the people in them. While somebody searches, slots without a match are left out. */
export function sheetOf(slots: readonly Slot[], reservations: readonly Reservation[], words: string): SheetSlot[] {
  const wanted = searchKey(words);
  const found = reservations.filter(
    ({ fullName, fullNameKana, staffId }) => matches(wanted, fullName, fullNameKana) || staffId.startsWith(words.normalize("NFKC").trim()),
  );
  return slots
    .map((slot) => ({ slot, people: found.filter(({ slotId }) => slotId === slot.id) }))
    .filter(({ people, slot }) => people.length > 0 || (wanted === "" && slot.status !== "draft"));
}

export function attendanceCounts(reservations: readonly Reservation[]) {
  const count = (attendance: Reservation["attendance"]) => reservations.filter((one) => one.attendance === attendance).length;
  return { all: reservations.length, came: count("came"), absent: count("absent"), open: count(null) };
}
