import { ApiError } from "../../../api/errors";
import { TokenRefused } from "../identity/adapter";

/** WaitReason an answer waits: the way to the server, the server itself, or LINE, which has to say anew who this is. */
export type WaitReason = "network" | "server" | "login";

/** What a failed try means: wait and try again (at the earliest after some seconds), or take the refusal as final. */
export type RetryDecision = { again: true; why: WaitReason; afterMs: number } | { again: false };

// Refusals that pass by themselves: too many requests, a copy of the same request still under way, a session lost
// between two tries.
const PASSING = new Set(["IN_FLIGHT", "IDENTITY_MISMATCH"]);

export function retryDecision(error: unknown): RetryDecision {
  if (error instanceof TokenRefused) return { again: true, why: "login", afterMs: 0 };
  if (!(error instanceof ApiError)) return { again: true, why: "network", afterMs: 0 };
  const passes = error.status >= 500 || error.status === 429 || error.status === 401 || PASSING.has(error.code);
  return passes ? { again: true, why: "server", afterMs: (error.retryAfterSeconds ?? 0) * 1000 } : { again: false };
}

const PAUSES_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/** Growing pauses, spread so that a hall full of phones does not come back in the same second. */
export function pauseBefore(attempt: number, afterMs: number): number {
  const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1] ?? 0;
  return Math.max(afterMs, pause * (0.75 + Math.random() / 2));
}
