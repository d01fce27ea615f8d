/** A shared PC logs out by itself, because the next person must not act as the one before. */
export const IDLE_MS = 5 * 60_000;
export const WARNING_MS = 60_000;

export type Idle = { kind: "active" } | { kind: "warning"; secondsLeft: number } | { kind: "over" };

export function idleAt(lastTouch: number, now: number): Idle {
  const left = lastTouch + IDLE_MS - now;
  if (left <= 0) return { kind: "over" };
  return left <= WARNING_MS ? { kind: "warning", secondsLeft: Math.ceil(left / 1000) } : { kind: "active" };
}
