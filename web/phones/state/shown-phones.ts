import type { Person } from "../client/types";

const KEY = "tsudoi.phones.shown";
const SHOWN_AT_FIRST = 3;

/** The phones on the stage: those that were chosen and still exist; without a choice, the first three. */
export function phonesToShow(chosen: string[] | null, people: Person[]): string[] {
  const known = new Set(people.map((person) => person.user_id));
  const kept = (chosen ?? []).filter((userId) => known.has(userId));
  // A choice of which nobody is left was made before the sandbox was reset, and means nothing any more.
  const choiceCounts = chosen !== null && (chosen.length === 0 || kept.length > 0);
  return choiceCounts ? kept : people.slice(0, SHOWN_AT_FIRST).map((person) => person.user_id);
}

export function withPhone(shown: string[], userId: string): string[] {
  return shown.includes(userId) ? shown : [...shown, userId];
}

export function withoutPhone(shown: string[], userId: string): string[] {
  return shown.filter((one) => one !== userId);
}

export function readChosen(storage: Storage): string[] | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
    return Array.isArray(value) ? value.filter((one) => typeof one === "string") : null;
  } catch {
    return null;
  }
}

export function keepChosen(storage: Storage, chosen: string[]): void {
  try {
    storage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // A full or forbidden storage costs the memory of the choice, nothing else.
  }
}
