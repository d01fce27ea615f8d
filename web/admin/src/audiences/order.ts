import type { Audience } from "./queries";

export interface Place {
  id: number;
  sort_order: number;
}

// Between two groups there is room for a few more, so that most moves change one of them only.
const STEP = 10;

/** The list with one group at another place. */
export function moved<T extends { id: number }>(list: readonly T[], id: number, to: number): T[] {
  const one = list.find((item) => item.id === id);
  if (one === undefined) return [...list];
  const others = list.filter((item) => item.id !== id);
  return [...others.slice(0, to), one, ...others.slice(to)];
}

/** What has to be saved so that the list stands in this order, given that one group has just been moved. */
export function placesFor(list: readonly Audience[], movedId: number): Place[] {
  const at = list.findIndex(({ id }) => id === movedId);
  const between = roomBetween(list[at - 1], list[at + 1]);
  const others = list.filter(({ id }) => id !== movedId);
  if (between !== null && isRising(others)) return [{ id: movedId, sort_order: between }];
  return list.map(({ id }, index) => ({ id, sort_order: (index + 1) * STEP })).filter((place, index) => list[index]?.sort_order !== place.sort_order);
}

function roomBetween(before: Audience | undefined, after: Audience | undefined): number | null {
  const low = before?.sort_order;
  const high = after?.sort_order;
  if (low === null || high === null) return null;
  if (low === undefined) return high === undefined ? STEP : high - STEP;
  if (high === undefined) return low + STEP;
  const middle = Math.floor((low + high) / 2);
  return middle > low && middle < high ? middle : null;
}

/** Groups without a place, or with the same one, are sorted by name; only a full numbering moves those. */
function isRising(list: readonly Audience[]): boolean {
  return list.every(({ sort_order }, index) => {
    const before = list[index - 1]?.sort_order;
    return sort_order !== null && (index === 0 || (before !== null && before !== undefined && before < sort_order));
  });
}

/** A new group goes to the end. */
export function placeOfNew(list: readonly Audience[]): number {
  return Math.max(0, ...list.map(({ sort_order }) => sort_order ?? 0)) + STEP;
}
