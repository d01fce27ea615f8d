import type { Step } from "./rules/field-errors";

export interface EventNewSearch {
  /** The step stands in the address, so that the browser's own back button leads one step back. */
  step?: Step;
  /** The event that was just made: its progress is shown, after a reload too. */
  sent?: number;
}

export function eventNewSearch(search: Record<string, unknown>): EventNewSearch {
  const { step, sent } = search;
  if (Number.isSafeInteger(sent) && (sent as number) > 0) return { sent: sent as number };
  return typeof step === "number" && [2, 3, 4, 5].includes(step) ? { step: step as Step } : {};
}
