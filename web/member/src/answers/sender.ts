// Brings answers to the server: at once when the network is there, and else again and again with the
// same key. One sender serves the whole app, so that an answer also leaves from another screen.
import type { Answer } from "../../../api/shapes";
import type { Status } from "../shapes";
import { LAPSES_AFTER_MS, newKey, type Outbox, type Pending } from "./outbox";
import { pauseBefore, verdictOn, type Why } from "./verdict";

export type Recorded = Answer<"/api/liff/events/{event_id}/respond", "post">;

/** Where the newest answer to an event stands, as far as this page knows. */
export type Standing =
  | { kind: "idle" }
  | { kind: "sending"; answer: Pending }
  | { kind: "waiting"; answer: Pending; why: Why; kept: boolean }
  | { kind: "refused"; answer: Pending; error: unknown }
  | { kind: "lapsed"; answer: Pending };

type Post = (eventId: number, answer: Pending) => Promise<Recorded>;
const IDLE: Standing = { kind: "idle" };

export class Sender {
  private readonly standings = new Map<number, Standing>();
  private readonly confirmed = new Map<number, Recorded>();
  private readonly attempts = new Map<number, number>();
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();
  private readonly busy = new Set<number>();
  private readonly listeners = new Set<() => void>();
  private kept = true;

  constructor(
    private readonly post: Post,
    private readonly outbox: Outbox,
    private readonly onRecorded: (eventId: number, recorded: Recorded) => void = () => {},
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

  standing(eventId: number): Standing {
    return this.standings.get(eventId) ?? IDLE;
  }

  /** How many answers the server does not have yet. */
  unsent(): number {
    return [...this.standings.values()].filter(({ kind }) => kind === "waiting" || kind === "sending").length;
  }

  /** What the server confirmed to this page; null when this page has sent nothing. */
  recorded(eventId: number): Recorded | null {
    return this.confirmed.get(eventId) ?? null;
  }

  submit(eventId: number, status: Status, extraText: string | null): void {
    const answer: Pending = { key: newKey(), status, extra_text: extraText, at: Date.now() };
    this.kept = this.outbox.put(eventId, answer);
    this.attempts.delete(eventId);
    this.set(eventId, { kind: "sending", answer });
    void this.deliver(eventId);
  }

  retryNow(): void {
    for (const [eventId, { kind }] of this.standings) if (kind === "waiting") void this.deliver(eventId);
  }

  /** The person has seen that an answer did not count, and is content with what is on record. */
  acknowledge(eventId: number): void {
    const { kind } = this.standing(eventId);
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

  private next(eventId: number): Pending | null {
    const answer = this.outbox.get(eventId);
    if (answer && Date.now() - answer.at > LAPSES_AFTER_MS) {
      this.outbox.remove(eventId, answer.key);
      this.set(eventId, { kind: "lapsed", answer });
      return null;
    }
    // Another page of this person has sent it in the meantime.
    if (!answer && this.standing(eventId).kind === "waiting") this.set(eventId, IDLE);
    return answer;
  }

  /** Returns whether to look for a newer answer at once. */
  private async attempt(eventId: number, answer: Pending): Promise<boolean> {
    try {
      this.confirm(eventId, answer, await this.post(eventId, answer));
      return true;
    } catch (error) {
      const newest = this.outbox.get(eventId) ?? answer;
      const verdict = verdictOn(error);
      if (verdict.again) this.wait(eventId, newest, verdict.why, verdict.afterMs);
      else this.refuse(eventId, answer, error);
      return !verdict.again;
    }
  }

  private confirm(eventId: number, answer: Pending, recorded: Recorded): void {
    this.outbox.remove(eventId, answer.key);
    this.attempts.delete(eventId);
    this.confirmed.set(eventId, recorded);
    this.onRecorded(eventId, recorded);
    const newest = this.outbox.get(eventId);
    this.set(eventId, newest ? { kind: "sending", answer: newest } : IDLE);
  }

  private wait(eventId: number, answer: Pending, why: Why, afterMs: number): void {
    const attempt = (this.attempts.get(eventId) ?? 0) + 1;
    this.attempts.set(eventId, attempt);
    this.timers.set(eventId, setTimeout(() => void this.deliver(eventId), pauseBefore(attempt, afterMs)));
    this.set(eventId, { kind: "waiting", answer, why, kept: this.kept });
  }

  private refuse(eventId: number, answer: Pending, error: unknown): void {
    this.outbox.remove(eventId, answer.key);
    this.set(eventId, { kind: "refused", answer, error });
  }

  private set(eventId: number, standing: Standing): void {
    this.standings.set(eventId, standing);
    for (const listener of this.listeners) listener();
  }
}
