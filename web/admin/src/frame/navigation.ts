import type { NavigationGroup, NavigationItem } from "../../../api/config";

export interface MenuGroup {
  /** Null where the menu needs no heading. */
  heading: string | null;
  items: NavigationItem[];
}

const HEADINGS: Record<NavigationGroup, string | null> = {
  home: null,
  ask: "たずねる",
  receive: "うけつける",
  tell: "しらせる",
  people: "ひと",
  manage: "管理",
};
const ORDER = Object.keys(HEADINGS) as NavigationGroup[];

/** The parts of the product that fill a menu; with one of them it is short enough to need no headings. */
const LARGE_PARTS = ["events", "scheduling", "booking", "shops"];

/** The menu in its groups, in the order of `HEADINGS`; a group without a page is left out. */
export function menuOf(navigation: readonly NavigationItem[], features: readonly string[]): MenuGroup[] {
  const withHeadings = LARGE_PARTS.filter((part) => features.includes(part)).length > 1;
  const groups = ORDER.map((group) => ({
    heading: withHeadings ? HEADINGS[group] : null,
    items: navigation.filter((item) => item.group === group),
  })).filter(({ items }) => items.length > 0);
  return withHeadings ? groups : [{ heading: null, items: groups.flatMap(({ items }) => items) }];
}
