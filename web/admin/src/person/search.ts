const KINDS = ["member", "staff", "line", "customer", "address"] as const;

/** What is looked for stands in the address: it survives a reload, and the way back from a person leads to it. */
export interface PeopleSearch {
  q?: string;
  /** Only this kind, as a longer list. */
  kind?: (typeof KINDS)[number];
}

export function peopleSearch(search: Record<string, unknown>): PeopleSearch {
  const given = search["q"];
  // The router reads a number that somebody typed as a number.
  const q = typeof given === "string" || typeof given === "number" ? String(given).slice(0, 100).trim() : "";
  const kind = KINDS.find((one) => one === search["kind"]);
  return { ...(q ? { q } : {}), ...(kind ? { kind } : {}) };
}
