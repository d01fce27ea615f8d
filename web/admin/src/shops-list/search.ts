/** What is looked for stands in the address: it survives a reload, and the way back from a shop leads to it. */
export const SHOWN = ["open", "preparing", "closed", "trouble"] as const;
export type Shown = (typeof SHOWN)[number];

export interface ShopsSearch {
  q?: string;
  state?: Shown;
}

export function shopsSearch(search: Record<string, unknown>): ShopsSearch {
  const q = String(search["q"] ?? "").slice(0, 100).trim();
  const state = SHOWN.find((one) => one === search["state"]);
  return { ...(q ? { q } : {}), ...(state ? { state } : {}) };
}
