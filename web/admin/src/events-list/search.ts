import { formatDate } from "../../../api/times";

/** What is looked for stands in the address: it survives a reload, and the way back from an event leads to it. */
export interface EventsSearch {
  past?: true;
  query?: string;
  from?: string;
  to?: string;
}

const LONGEST_QUERY = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  const from = day(search["from"]);
  const to = day(search["to"]);
  // The router reads `?query=2025` as a number.
  const query = ["string", "number"].includes(typeof search["query"]) ? String(search["query"]).slice(0, LONGEST_QUERY) : "";
  return {
    ...(search["past"] === true ? { past: true as const } : {}),
    ...(query.trim() === "" ? {} : { query }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

function day(value: unknown): string | null {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;
}

export function isFiltered({ query, from, to }: EventsSearch): boolean {
  return query !== undefined || from !== undefined || to !== undefined;
}

/** The same question about the other half of time. */
export function onSide({ past: _before, ...search }: EventsSearch, past: boolean): EventsSearch {
  return past ? { ...search, past } : search;
}

/** Whether the period ends before it begins. */
export function isBackwards({ from, to }: EventsSearch): boolean {
  return from !== undefined && to !== undefined && from > to;
}

export interface EventsAsked {
  from?: string;
  to?: string;
  query: string;
  order: "held_at" | "-held_at";
}

/**
 * What to ask the server for. An event counts as coming for the whole of its day: that is when it is looked up most.
 * Null when the period lies wholly on the other side, so that there is nothing to ask.
 */
export function asked({ past, query = "", from, to }: EventsSearch, now: Date): EventsAsked | null {
  const today = dayOf(now);
  const edge = past ? dayOf(new Date(now.getTime() - DAY_MS)) : today;
  const first = past || (from !== undefined && from > edge) ? from : edge;
  const last = past && (to === undefined || to > edge) ? edge : to;
  if (first !== undefined && last !== undefined && first > last) return null;
  return {
    ...(first === undefined ? {} : { from: first }),
    ...(last === undefined ? {} : { to: last }),
    query: query.trim(),
    order: past ? "-held_at" : "held_at",
  };
}

function dayOf(moment: Date): string {
  return formatDate(moment).replaceAll("/", "-");
}
