// Brings answers to the server: at once when the network is there, and else again and again with the
// same key. One sender serves the whole app, so that an answer also leaves from another screen.
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { LAPSES_AFTER_MS, type Outbox, type PendingAnswer } from "./outbox";
import { pauseBefore, retryDecision, type WaitReason } from "./retry";

/** Where the newest answer to a request stands, as far as this page knows. */
export type SendState<A> =
  | { kind: "idle" }
  | { kind: "sending"; answer: PendingAnswer<A> }
  | { kind: "waiting"; answer: PendingAnswer<A>; why: WaitReason; kept: boolean }
  | { kind: "refused"; answer: PendingAnswer<A>; error: unknown }
  | { kind: "lapsed"; answer: PendingAnswer<A> };

const IDLE = { kind: "idle" } as const;

/** `Id` names what is answered, `A` is the answer, and `R` is what the server confirms. */
export class Sender<Id extends string | number, A extends object, R> {
  private readonly sendStates = new Map<Id, SendState<A>>();
  private readonly confirmed = new Map<Id, R>();
  private readonly attempts = new Map<Id, number>();
  private readonly timers = new Map<Id, ReturnType<typeof setTimeout>>();
  private readonly busy = new Set<Id>();
  private readonly listeners = new Set<() => void>();
  private kept = true;

  constructor(
    private readonly post: (id: Id, answer: PendingAnswer<A>) => Promise<R>,
    private readonly outbox: Outbox<Id, A>,
    private readonly onRecorded: (id: Id, recorded: R) => void = () => {},
  ) {}

  /** Takes up what an earlier page left behind, and again whenever the phone looks reachable. */
  start(page: Window = window): void {
    for (const id of this.outbox.ids()) this.takeUp(id);
    const again = () => {
      if (page.document.visibilityState !== "hidden") this.retryNow();
    };
    for (const name of ["online", "pageshow", "focus"]) page.addEventListener(name, again);
    page.document.addEventListener("visibilitychange", again);
  }

  sendState(id: Id): SendState<A> {
    return this.sendStates.get(id) ?? IDLE;
  }

  /** How many answers the server does not have yet. */
  unsent(): number {
    return [...this.sendStates.values()].filter(({ kind }) => kind === "waiting" || kind === "sending").length;
  }

  /** What the server confirmed to this page; null when this page has sent nothing. */
  recorded(id: Id): R | null {
    return this.confirmed.get(id) ?? null;
  }

  submit(id: Id, given: A): void {
    const answer: PendingAnswer<A> = { ...given, key: newIdempotencyKey(), at: Date.now() };
    this.kept = this.outbox.put(id, answer);
    this.attempts.delete(id);
    this.set(id, { kind: "sending", answer });
    void this.deliver(id);
  }

  retryNow(): void {
    for (const [id, { kind }] of this.sendStates) if (kind === "waiting") void this.deliver(id);
  }

  /** The person has seen that an answer did not count, and is content with what is on record. */
  acknowledge(id: Id): void {
    const { kind } = this.sendState(id);
    if (kind === "refused" || kind === "lapsed") this.set(id, IDLE);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private takeUp(id: Id): void {
    const answer = this.outbox.get(id);
    if (!answer) return;
    this.set(id, { kind: "waiting", answer, why: "network", kept: true });
    void this.deliver(id);
  }

  /** One at a time for each request, so that a changed mind can never overtake itself on the way. */
  private async deliver(id: Id): Promise<void> {
    clearTimeout(this.timers.get(id));
    if (this.busy.has(id)) return;
    this.busy.add(id);
    for (let next = this.next(id); next; next = (await this.attempt(id, next)) ? this.next(id) : null);
    this.busy.delete(id);
  }

  private next(id: Id): PendingAnswer<A> | null {
    const answer = this.outbox.get(id);
    if (answer && Date.now() - answer.at > LAPSES_AFTER_MS) {
      this.outbox.remove(id, answer.key);
      this.set(id, { kind: "lapsed", answer });
      return null;
    }
    // Another page of this person has sent it in the meantime.
    if (!answer && this.sendState(id).kind === "waiting") this.set(id, IDLE);
    return answer;
  }

  /** Returns whether to look for a newer answer at once. */
  private async attempt(id: Id, answer: PendingAnswer<A>): Promise<boolean> {
    try {
      this.confirm(id, answer, await this.post(id, answer));
      return true;
    } catch (error) {
      const newest = this.outbox.get(id) ?? answer;
      const decision = retryDecision(error);
      if (decision.again) this.wait(id, newest, decision.why, decision.afterMs);
      else this.refuse(id, answer, error);
      return !decision.again;
    }
  }

  private confirm(id: Id, answer: PendingAnswer<A>, recorded: R): void {
    this.outbox.remove(id, answer.key);
    this.attempts.delete(id);
    this.confirmed.set(id, recorded);
    this.onRecorded(id, recorded);
    const newest = this.outbox.get(id);
    this.set(id, newest ? { kind: "sending", answer: newest } : IDLE);
  }

  private wait(id: Id, answer: PendingAnswer<A>, why: WaitReason, afterMs: number): void {
    const attempt = (this.attempts.get(id) ?? 0) + 1;
    this.attempts.set(id, attempt);
    this.timers.set(id, setTimeout(() => void this.deliver(id), pauseBefore(attempt, afterMs)));
    this.set(id, { kind: "waiting", answer, why, kept: this.kept });
  }

  private refuse(id: Id, answer: PendingAnswer<A>, error: unknown): void {
    this.outbox.remove(id, answer.key);
    this.set(id, { kind: "refused", answer, error });
  }

  private set(id: Id, sendState: SendState<A>): void {
    this.sendStates.set(id, sendState);
    for (const listener of this.listeners) listener();
  }
}
