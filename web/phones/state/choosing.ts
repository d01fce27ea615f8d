import { keepChosen, phonesToShow, withoutPhone, withPhone } from "./shown-phones";
import { getState, update } from "./store";

export function shownNow(): string[] {
  const { chosen, people } = getState();
  return phonesToShow(chosen, people);
}

function choose(chosen: string[]): void {
  keepChosen(localStorage, chosen);
  update({ chosen });
}

export function showPhone(userId: string): void {
  choose(withPhone(shownNow(), userId));
  requestAnimationFrame(() => bringToFront(userId));
}

export function putAway(userId: string): void {
  choose(withoutPhone(shownNow(), userId));
}

export function phoneElementId(userId: string): string {
  return `phone-${userId}`;
}

/** Scrolls the stage to a phone; the browser scrolls smoothly unless its user asked for less motion. */
export function bringToFront(userId: string): void {
  document.getElementById(phoneElementId(userId))?.scrollIntoView({ inline: "center", block: "nearest" });
}
