// Answers that the server has not confirmed yet, kept in the browser until it has: a closed page or
// an empty battery must not lose what somebody has answered.
import type { Status } from "../shapes";

export interface PendingAnswer {
  /** Fixed when the person taps, and the same at every try: this is what keeps an answer from counting twice. */
  key: string;
  status: Status;
  extra_text: string | null;
  /** Milliseconds, when the person tapped. */
  at: number;
}

// The server remembers keys for 48 hours. An answer that is sent again much later could count twice,
// and may no longer be what the person wants, so it is left to them after a day.
export const LAPSES_AFTER_MS = 24 * 60 * 60 * 1000;

export class Outbox {
  // For answers that the browser refuses to store: they last as long as the page.
  private readonly unstored = new Map<number, PendingAnswer>();
  private readonly prefix: string;

  constructor(
    userId: string,
    private readonly storage: Storage | null,
  ) {
    this.prefix = `tsudoi:answer:${userId}:`;
  }

  /** Returns whether it will survive the page. */
  put(eventId: number, pending: PendingAnswer): boolean {
    try {
      if (!this.storage) throw new Error("this browser has no storage");
      this.storage.setItem(this.prefix + eventId, JSON.stringify(pending));
      this.unstored.delete(eventId);
      return true;
    } catch {
      this.unstored.set(eventId, pending);
      return false;
    }
  }

  /** Read anew each time: another page of the same person may have sent and removed it. */
  get(eventId: number): PendingAnswer | null {
    return this.unstored.get(eventId) ?? parse(this.storage?.getItem(this.prefix + eventId) ?? "null");
  }

  /** Only the answer that was meant: a newer one may have taken its place while it was on the way. */
  remove(eventId: number, key: string): void {
    if (this.get(eventId)?.key !== key) return;
    this.unstored.delete(eventId);
    this.storage?.removeItem(this.prefix + eventId);
  }

  eventIds(): number[] {
    const names = Array.from({ length: this.storage?.length ?? 0 }, (_, index) => this.storage?.key(index) ?? "");
    return names.filter((name) => name.startsWith(this.prefix)).map((name) => Number(name.slice(this.prefix.length)));
  }
}

function parse(text: string): PendingAnswer | null {
  try {
    const value = JSON.parse(text) as Partial<PendingAnswer> | null;
    const answered = value?.status === "attend" || value?.status === "absent";
    if (!answered || typeof value?.key !== "string" || typeof value.at !== "number") return null;
    return { key: value.key, status: value.status as Status, extra_text: value.extra_text ?? null, at: value.at };
  } catch {
    return null;
  }
}
