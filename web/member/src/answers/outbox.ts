// Answers that the server has not confirmed yet, kept in the browser until it has: a closed page or
// an empty battery must not lose what somebody has answered.

/** An answer on its way. */
export type PendingAnswer<A> = A & {
  /** Fixed when the person taps, and the same at every try: this is what keeps an answer from counting twice. */
  key: string;
  /** Milliseconds, when the person tapped. */
  at: number;
};

/** What a part of the product says about its answers, so that they can be kept and read again. */
export interface AnswerKind<Id, A> {
  /** Its own in the browser's storage. */
  name: string;
  idOf: (text: string) => Id;
  /** The answer in something that was stored, perhaps by an older page; null when it is none. */
  read: (stored: Partial<A>) => A | null;
}

// The server remembers keys for 48 hours. An answer that is sent again much later could count twice,
// and may no longer be what the person wants, so it is left to them after a day.
export const LAPSES_AFTER_MS = 24 * 60 * 60 * 1000;

export class Outbox<Id extends string | number, A extends object> {
  // For answers that the browser refuses to store: they last as long as the page.
  private readonly unstored = new Map<Id, PendingAnswer<A>>();
  private readonly prefix: string;

  constructor(
    private readonly kind: AnswerKind<Id, A>,
    userId: string,
    private readonly storage: Storage | null,
  ) {
    this.prefix = `tsudoi:${kind.name}:${userId}:`;
  }

  /** Returns whether it will survive the page. */
  put(id: Id, pending: PendingAnswer<A>): boolean {
    try {
      if (!this.storage) throw new Error("this browser has no storage");
      this.storage.setItem(this.prefix + id, JSON.stringify(pending));
      this.unstored.delete(id);
      return true;
    } catch {
      this.unstored.set(id, pending);
      return false;
    }
  }

  /** Read anew each time: another page of the same person may have sent and removed it. */
  get(id: Id): PendingAnswer<A> | null {
    return this.unstored.get(id) ?? this.parse(this.storage?.getItem(this.prefix + id) ?? "null");
  }

  /** Only the answer that was meant: a newer one may have taken its place while it was on the way. */
  remove(id: Id, key: string): void {
    if (this.get(id)?.key !== key) return;
    this.unstored.delete(id);
    this.storage?.removeItem(this.prefix + id);
  }

  ids(): Id[] {
    const names = Array.from({ length: this.storage?.length ?? 0 }, (_, index) => this.storage?.key(index) ?? "");
    return names.filter((name) => name.startsWith(this.prefix)).map((name) => this.kind.idOf(name.slice(this.prefix.length)));
  }

  private parse(text: string): PendingAnswer<A> | null {
    try {
      const value = JSON.parse(text) as Partial<PendingAnswer<A>> | null;
      if (typeof value?.key !== "string" || typeof value.at !== "number") return null;
      const answer = this.kind.read(value);
      return answer && { ...answer, key: value.key, at: value.at };
    } catch {
      return null;
    }
  }
}
