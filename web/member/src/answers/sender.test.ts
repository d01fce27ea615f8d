// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { TokenRefused } from "../identity/adapter";
import { type AnswerReceipt, EVENT_ANSWERS, type EventAnswer } from "../events/answers/event-answers";
import { Outbox, type PendingAnswer } from "./outbox";
import { Sender } from "./sender";

const refusal = (status: number, code: string, after: number | null = null) => new ApiError(status, code, code, [], null, after);
const recorded = (answer: PendingAnswer<EventAnswer>): AnswerReceipt => ({
  ok: true,
  current: answer.status,
  extra_text: answer.extra_text,
  responded_at: "2025-09-01T12:00:00+09:00",
});

/** A server that fails as told and then records. */
function world(...failures: unknown[]) {
  const tries: PendingAnswer<EventAnswer>[] = [];
  const post = vi.fn(async (_eventId: number, answer: PendingAnswer<EventAnswer>) => {
    tries.push(answer);
    const failure = failures.shift();
    if (failure) throw failure;
    return recorded(answer);
  });
  const onRecorded = vi.fn();
  const sender = new Sender(post, new Outbox(EVENT_ANSWERS, "U1", localStorage), onRecorded);
  return { sender, tries, onRecorded };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => vi.useRealTimers());

describe("an answer", () => {
  test("goes out at once, is confirmed and forgotten", async () => {
    const { sender, tries, onRecorded } = world();
    sender.submit(7, { status: "attend", extra_text: "遅れます" });
    expect(sender.sendState(7)).toMatchObject({ kind: "sending" });
    await settle();
    expect(sender.sendState(7)).toEqual({ kind: "idle" });
    expect(sender.recorded(7)).toMatchObject({ current: "attend", extra_text: "遅れます" });
    expect(onRecorded).toHaveBeenCalledOnce();
    expect(tries).toHaveLength(1);
    expect(localStorage).toHaveLength(0);
  });

  test("is kept when the network is lost, and sent again with the same key after growing pauses", async () => {
    const { sender, tries } = world(new Unreachable(), new Unreachable(), new Unreachable());
    sender.submit(7, { status: "attend", extra_text: null });
    await settle();
    expect(sender.sendState(7)).toMatchObject({ kind: "waiting", why: "network", kept: true });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(tries).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(sender.sendState(7).kind).toBe("waiting");
    await vi.advanceTimersByTimeAsync(8_000);
    expect(sender.sendState(7).kind).toBe("idle");
    expect(new Set(tries.map(({ key }) => key)).size).toBe(1);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(tries).toHaveLength(4);
  });

  test.each(["online", "pageshow", "focus"])("goes again at once on %s", async (name) => {
    const { sender, tries } = world(new Unreachable());
    sender.start();
    sender.submit(7, { status: "attend", extra_text: null });
    await settle();
    dispatchEvent(new Event(name));
    await settle();
    expect(tries).toHaveLength(2);
    expect(sender.sendState(7).kind).toBe("idle");
  });

  test("is taken up by the next page, with the same key", async () => {
    const first = world(new Unreachable());
    first.sender.submit(7, { status: "absent", extra_text: null });
    await settle();
    const second = world();
    second.sender.start();
    expect(second.sender.sendState(7)).toMatchObject({ kind: "waiting", answer: { status: "absent" } });
    await settle();
    expect(second.tries[0]?.key).toBe(first.tries[0]?.key);
    expect(second.sender.sendState(7).kind).toBe("idle");
  });

  test("is left to the person after a day, when a second sending could count twice", async () => {
    const first = world(new Unreachable());
    first.sender.submit(7, { status: "attend", extra_text: null });
    await settle();
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1000);
    const second = world();
    second.sender.start();
    await settle();
    expect(second.tries).toHaveLength(0);
    expect(second.sender.sendState(7)).toMatchObject({ kind: "lapsed", answer: { status: "attend" } });
    second.sender.acknowledge(7);
    expect(second.sender.sendState(7).kind).toBe("idle");
    expect(localStorage).toHaveLength(0);
  });
});

describe("a changed mind", () => {
  test("follows the answer that is on the way, and never overtakes it", async () => {
    const { sender, tries } = world();
    sender.submit(7, { status: "attend", extra_text: null });
    sender.submit(7, { status: "absent", extra_text: null });
    await settle();
    expect(tries.map(({ status }) => status)).toEqual(["attend", "absent"]);
    expect(sender.recorded(7)?.current).toBe("absent");
  });

  test("takes the place of an answer that waits, with a key of its own", async () => {
    const { sender, tries } = world(new Unreachable());
    sender.submit(7, { status: "attend", extra_text: null });
    await settle();
    sender.submit(7, { status: "absent", extra_text: null });
    await settle();
    expect(tries.map(({ status }) => status)).toEqual(["attend", "absent"]);
    expect(tries[0]?.key).not.toBe(tries[1]?.key);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(tries).toHaveLength(2);
  });
});

describe("a refusal", () => {
  test.each([
    [409, "EVENT_CANCELLED"],
    [409, "EVENT_OVER"],
    [409, "DEADLINE_PASSED"],
    [403, "NOT_INVITED"],
    [403, "NOT_REGISTERED"],
    [404, "NOT_FOUND"],
    [400, "INVALID_INPUT"],
  ])("%i %s is final", async (status, code) => {
    const { sender, tries } = world(refusal(status, code));
    sender.submit(7, { status: "attend", extra_text: null });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(sender.sendState(7)).toMatchObject({ kind: "refused", error: { code } });
    expect(tries).toHaveLength(1);
    expect(localStorage).toHaveLength(0);
  });

  test.each([
    [500, "INTERNAL"],
    [503, "UNAVAILABLE"],
    [429, "RATE_LIMITED"],
    [409, "IN_FLIGHT"],
    [403, "IDENTITY_MISMATCH"],
  ])("%i %s passes by itself", async (status, code) => {
    const { sender, tries } = world(refusal(status, code));
    sender.submit(7, { status: "attend", extra_text: null });
    await settle();
    expect(sender.sendState(7)).toMatchObject({ kind: "waiting", why: "server" });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(tries).toHaveLength(2);
  });

  test("with a time to wait is obeyed", async () => {
    const { sender, tries } = world(refusal(503, "UNAVAILABLE", 30));
    sender.submit(7, { status: "attend", extra_text: null });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(tries).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toHaveLength(2);
  });

  test("of the token keeps the answer for the next opening", async () => {
    const { sender } = world(new TokenRefused());
    sender.submit(7, { status: "attend", extra_text: null });
    await settle();
    expect(sender.sendState(7)).toMatchObject({ kind: "waiting", why: "login" });
    expect(sender.unsent()).toBe(1);
    expect(localStorage).toHaveLength(1);
  });
});

test("what another page of the same person has sent is not sent again", async () => {
  const { sender, tries } = world(new Unreachable());
  sender.submit(7, { status: "attend", extra_text: null });
  await settle();
  localStorage.clear();
  sender.retryNow();
  await settle();
  expect(tries).toHaveLength(1);
  expect(sender.sendState(7).kind).toBe("idle");
});
