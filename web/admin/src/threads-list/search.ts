import type { ThreadLine } from "../threads/thread";

/** What is looked for stands in the address: it survives a reload, and the way back from a thread leads to it. */
export interface ThreadsSearch {
  status?: ThreadLine["status"];
  query?: string;
}

const STATUSES = ["active", "draft", "finalized", "cancelled"] as const;
const LONGEST_QUERY = 100;

export function threadsSearch(search: Record<string, unknown>): ThreadsSearch {
  const status = STATUSES.find((one) => one === search["status"]);
  // The router reads `?query=2025` as a number.
  const query = ["string", "number"].includes(typeof search["query"]) ? String(search["query"]).slice(0, LONGEST_QUERY) : "";
  return { ...(status === undefined ? {} : { status }), ...(query.trim() === "" ? {} : { query }) };
}
