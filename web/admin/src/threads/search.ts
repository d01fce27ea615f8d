import { asOfSearch } from "../event-detail/eventId";
import type { Step } from "../event-new/rules/field-errors";

/** `?step=3` */
export function threadNewSearch(search: Record<string, unknown>): { step?: Step } {
  const step = search["step"];
  return typeof step === "number" && Number.isInteger(step) && step >= 2 && step <= 5 ? { step: step as Step } : {};
}

/** `?as_of=…`, and what the creation of the thread had to say: saved, sent to so many people, or not sent. */
export interface BoardSearch {
  as_of?: string;
  made?: "saved" | "sent" | "unsent";
  told?: number;
}

export function boardSearch(search: Record<string, unknown>): BoardSearch {
  const made = (["saved", "sent", "unsent"] as const).find((one) => one === search["made"]);
  const told = search["told"];
  return {
    ...asOfSearch(search),
    ...(made === undefined ? {} : { made }),
    ...(made === "sent" && typeof told === "number" && Number.isInteger(told) && told >= 0 ? { told } : {}),
  };
}
