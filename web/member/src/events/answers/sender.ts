// Brings answers to the server: at once when the network is there, and else again and again with the
// same key. One sender serves the whole app, so that an answer also leaves from another screen.
import type { Answer } from "../../../../api/shapes";
import type { Status } from "../shapes";
import { newIdempotencyKey } from "../../../../api/idempotency-key";
import { LAPSES_AFTER_MS, type Outbox, type PendingAnswer } from "./outbox";
import { pauseBefore, retryDecision, type WaitReason } from "./retry";

export type AnswerReceipt = Answer<"/api/liff/events/{event_id}/respond", "post">;

/** Where the newest answer to an event stands, as far as this page knows. */
export type SendState =
  | { kind: "idle" }
  | { kind: "sending"; answer: PendingAnswer }
  | { kind: "waiting"; answer: PendingAnswer; why: WaitReason; kept: boolean }
  | { kind: "refused"; answer: PendingAnswer; error: unknown }
  | { kind: "lapsed"; answer: PendingAnswer };

type Post = (eventId: number, answer: PendingAnswer) => Promise<AnswerReceipt>;
const IDLE: SendState = { kind: "idle" };

export class Sender {
  private readonly sendStates = new Map<number, SendState>();
  private readonly confirmed = new Map<number, AnswerReceipt>();
  private readonly attempts = new Map<number, number>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private readonly busy = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private kept = true;

  constructor(
    private readonly post: Post,
    private readonly outbox: Outbox,
    private readonly onRecorded: (eventId: number, recorded: AnswerReceipt) => void = () => {},
  ) {}

  /** Takes up what an earlier page left behind, and again whenever the phone looks reachable. */
  start(page: Window = window): void {
    for (const eventId of this.outbox.eventIds()) this.takeUp(eventId);
    const again = () => {
      if (page.document.visibilityState !== "hidden") this.retryNow();
    };
    for (const name of ["online", "pageshow", "focus"]) page.addEventListener(name, again);
    page.document.addEventListener("visibilitychange", again);
  }

  sendState(eventId: number): SendState {
    return this.sendStates.get(eventId) ?? IDLE;
  }

  /** How many answers the server does not have yet. */
  unsent(): number {
    return [...this.sendStates.values()].filter(({ kind }) => kind === "waiting" || kind === "sending").length;
  }

  /** What the server confirmed to this page; null when this page has sent nothing. */
  recorded(eventId: number): AnswerReceipt | null {
    return this.confirmed.get(eventId) ?? null;
  }

  submit(eventId: number, status: Status, extraText: string | null): void {
    const answer: PendingAnswer = { key: newIdempotencyKey(), status, extra_text: extraText, at: Date.now() };
    this.kept = this.outbox.put(eventId, answer);
    this.attempts.delete(eventId);
    this.set(eventId, { kind: "sending", answer });
    void this.deliver(eventId);
  }

  retryNow(): void {
    for (const [eventId, { kind }] of this.sendStates) if (kind === "waiting") void this.deliver(eventId);
  }

  /** The person has seen that an answer did not count, and is content with what is on record. */
  acknowledge(eventId: number): void {
    const { kind } = this.sendState(eventId);
    if (kind === "refused" || kind === "lapsed") this.set(eventId, IDLE);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private takeUp(eventId: number): void {
    const answer = this.outbox.get(eventId);
    if (!answer) return;
    this.set(eventId, { kind: "waiting", answer, why: "network", kept: true });
    void this.deliver(eventId);
  }

  /** One at a time for each event, so that a changed mind can never overtake itself on the way. */
  private async deliver(eventId: number): Promise<void> {
    clearTimeout(this.timers.get(eventId));
    if (this.busy.has(eventId)) return;
    this.busy.add(eventId);
    for (let next = this.next(eventId); next; next = (await this.attempt(eventId, next)) ? this.next(eventId) : null);
    this.busy.delete(eventId);
  }

  private next(eventId: number): PendingAnswer | null {
    const answer = this.outbox.get(eventId);
    if (answer && Date.now() - answer.at > LAPSES_AFTER_MS) {
      this.outbox.remove(eventId, answer.key);
      this.set(eventId, { kind: "lapsed", answer });
      return null;
    }
    // Another page of this person has sent it in the meantime.
    if (!answer && this.sendState(eventId).kind === "waiting") this.set(eventId, IDLE);
    return answer;
  }

  /** Returns whether to look for a newer answer at once. */
  private async attempt(eventId: number, answer: PendingAnswer): Promise<boolean> {
    try {
      this.confirm(eventId, answer, await this.post(eventId, answer));
      return true;
    } catch (error) {
      const newest = this.outbox.get(eventId) ?? answer;
      const decision = retryDecision(error);
      if (decision.again) this.wait(eventId, newest, decision.why, decision.afterMs);
      else this.refuse(eventId, answer, error);
      return !decision.again;
    }
  }

  private confirm(eventId: number, answer: PendingAnswer, recorded: AnswerReceipt): void {
    this.outbox.remove(eventId, answer.key);
    this.attempts.delete(eventId);
    this.confirmed.set(eventId, recorded);
    this.onRecorded(eventId, recorded);
    const newest = this.outbox.get(eventId);
    this.set(eventId, newest ? { kind: "sending", answer: newest } : IDLE);
  }

  private wait(eventId: number, answer: PendingAnswer, why: WaitReason, afterMs: number): void {
    const attempt = (this.attempts.get(eventId) ?? 0) + 1;
    this.attempts.set(eventId, attempt);
    this.timers.set(eventId, setTimeout(() => void this.deliver(eventId), pauseBefore(attempt, afterMs)));
    this.set(eventId, { kind: "waiting", answer, why, kept: this.kept });
  }

  private refuse(eventId: number, answer: PendingAnswer, error: unknown): void {
    this.outbox.remove(eventId, answer.key);
    this.set(eventId, { kind: "refused", answer, error });
  }

  private set(eventId: number, sendState: SendState): void {
    this.sendStates.set(eventId, sendState);
    for (const listener of this.listeners) listener();
  }
}
