import { isNotRegistered } from "../load";
import type { RequestSource } from "./request";

/** Asks every part. It fails when none of them answered, and says whether some of them did not. */
export async function loadRequests(sources: readonly RequestSource[]): Promise<{ incomplete: boolean }> {
  const outcomes = await Promise.allSettled(sources.map((source) => source.load()));
  const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  // Somebody whom the roster does not know has to register first, whatever else was answered.
  const decisive = errors.find(isNotRegistered) ?? (errors.length === sources.length ? errors[0] : undefined);
  if (decisive !== undefined) throw decisive;
  return { incomplete: errors.length > 0 };
}
