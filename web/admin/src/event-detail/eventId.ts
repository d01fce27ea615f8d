/** The number in the address, or null when it cannot be an event's. */
export function eventIdOf(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** `?as_of=2025-09-01T12:00`: a moment of Japanese time; anything else is as if it were not there. */
export function asOfSearch(search: Record<string, unknown>): { as_of?: string } {
  const given = search["as_of"];
  return typeof given === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(given) ? { as_of: given } : {};
}
