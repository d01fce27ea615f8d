import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EventDetail, Person } from "../event";
import { type LiveAnswer, type LiveNews, withAnswers } from "./news";
import { liveReducer, needsReload, NOTHING_HEARD } from "./state";
import { follow, readNews, waitBefore } from "./stream";
import { atMostEvery } from "./throttle";

const NOON = "2025-09-01T12:00:00+09:00";
const LATER = "2025-09-01T12:00:05+09:00";

const person = (member_id: number, more: Partial<Person> = {}): Person => ({
  member_id,
  name: `会員${member_id}`,
  status: "pending",
  extra_text: null,
  responded_at: null,
  via: null,
  withdrawn: false,
  ...more,
});

const answer = (id: number, member_id: number, more: Partial<LiveAnswer> = {}): LiveAnswer => ({
  id,
  member_id,
  status: "attend",
  extra_text: null,
  responded_at: NOON,
  via: "liff",
  ...more,
});

const news = (more: Partial<LiveNews> = {}): LiveNews => ({
  event: { title: "理事会", held_at: NOON, updated_at: NOON, sequence: 0, cancelled: false },
  targets_total: 2,
  counts: { attend: 0, absent: 0, pending: 2 },
  push: { success: 2, fail: 0, unknown: 0, pending: 0 },
  push_stats: null,
  answers: [],
  ...more,
});

const shown = { sequence: 0, cancelled_at: null, current_status: [person(1), person(2)] } as unknown as EventDetail;

describe("withAnswers", () => {
  test("changes the rows that were answered and leaves the others the same objects", () => {
    const people = [person(1), person(2)];
    const merged = withAnswers(people, new Map([[2, answer(5, 2, { status: "absent", extra_text: "出張" })]]));
    expect(merged[0]).toBe(people[0]);
    expect(merged[1]).toMatchObject({ name: "会員2", status: "absent", extra_text: "出張", responded_at: NOON, via: "liff" });
  });

  test("a newer load wins over an older answer", () => {
    const people = [person(1, { status: "absent", responded_at: LATER, via: "admin" })];
    expect(withAnswers(people, new Map([[1, answer(5, 1)]]))[0]).toBe(people[0]);
  });
});

describe("liveReducer", () => {
  test("keeps each person's newest answer and lights the row", () => {
    const first = liveReducer(NOTHING_HEARD, { type: "news", news: news({ answers: [answer(1, 1), answer(2, 1, { status: "absent" })] }) });
    expect(first.phase).toBe("live");
    expect(first.answers.get(1)?.status).toBe("absent");
    expect([...first.fresh]).toEqual([1]);
  });

  test("an answer that is told twice lights nothing twice", () => {
    const once = liveReducer(NOTHING_HEARD, { type: "news", news: news({ answers: [answer(2, 1)] }) });
    const faded = liveReducer(once, { type: "faded", members: [1] });
    const twice = liveReducer(faded, { type: "news", news: news({ answers: [answer(2, 1)] }) });
    expect(twice.fresh.size).toBe(0);
  });

  test("a finished load replaces what came before it began, and nothing after", () => {
    const before = liveReducer(NOTHING_HEARD, { type: "news", news: news({ answers: [answer(1, 1)] }) });
    const after = liveReducer(before, { type: "news", news: news({ answers: [answer(2, 2)] }) });
    const settled = liveReducer(after, { type: "reloaded", before: before.answers });
    expect([...settled.answers.keys()]).toEqual([2]);
  });

  test("a lost stream no longer speaks for the sending", () => {
    const live = liveReducer(NOTHING_HEARD, { type: "news", news: news() });
    expect(live.push).toEqual({ success: 2, fail: 0, unknown: 0, pending: 0 });
    expect(liveReducer(live, { type: "lost" })).toMatchObject({ phase: "lost", push: undefined });
  });
});

describe("needsReload", () => {
  const none = new Map();
  test("only when the stream cannot spell out what changed", () => {
    expect(needsReload(shown, none, news())).toBe(false);
    expect(needsReload(shown, none, news({ reload: true }))).toBe(true);
    expect(needsReload(shown, none, news({ targets_total: 3 }))).toBe(true);
    expect(needsReload(shown, none, news({ event: { ...news().event, sequence: 1 } }))).toBe(true);
    expect(needsReload(shown, none, news({ event: { ...news().event, cancelled: true } }))).toBe(true);
  });

  test("when the numbers do not agree, unless what was missed is about to follow", () => {
    const counts = { attend: 1, absent: 0, pending: 1 };
    expect(needsReload(shown, none, news({ counts }))).toBe(true);
    expect(needsReload(shown, none, news({ counts, reload: false }))).toBe(false);
    expect(needsReload(shown, new Map([[1, answer(1, 1)]]), news({ counts }))).toBe(false);
  });
});

describe("follow", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  class Source extends EventTarget {
    readyState = 1;
    onerror: (() => void) | null = null;
    close = vi.fn();
    fail(readyState: number) {
      this.readyState = readyState;
      this.onerror?.();
    }
  }

  function started() {
    const sources: Source[] = [];
    const listener = { news: vi.fn(), lost: vi.fn(), refused: vi.fn(async () => {}) };
    const stop = follow("/live", listener, () => {
      const source = new Source();
      sources.push(source);
      return source as unknown as EventSource;
    });
    return { sources, listener, stop };
  }

  test("takes snapshots and answers, and passes over what is no news", () => {
    const { sources, listener } = started();
    sources[0]?.dispatchEvent(new MessageEvent("snapshot", { data: JSON.stringify(news({ reload: true })) }));
    sources[0]?.dispatchEvent(new MessageEvent("answers", { data: '{"cut' }));
    expect(listener.news).toHaveBeenCalledOnce();
  });

  test("leaves a lost connection to the browser", () => {
    const { sources, listener } = started();
    sources[0]?.fail(0);
    vi.advanceTimersByTime(60_000);
    expect(listener.lost).toHaveBeenCalledOnce();
    expect(sources).toHaveLength(1);
  });

  test("comes back after a refusal, at growing intervals, until it is stopped", async () => {
    const { sources, listener, stop } = started();
    sources[0]?.fail(2);
    await vi.advanceTimersByTimeAsync(waitBefore(1));
    expect(listener.refused).toHaveBeenCalledOnce();
    expect(sources).toHaveLength(2);
    sources[1]?.fail(2);
    await vi.advanceTimersByTimeAsync(waitBefore(1));
    expect(sources).toHaveLength(2);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sources).toHaveLength(2);
    expect(waitBefore(20)).toBe(30_000);
  });
});

test("readNews refuses what is not ours", () => {
  expect([readNews("null-"), readNews("{}"), readNews("[]")]).toEqual([null, null, null]);
});

test("atMostEvery runs at once, then once for all who ask within the interval", () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const { ask, stop } = atMostEvery(1_000, run);
  for (let asked = 0; asked < 5; asked += 1) ask();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  ask();
  stop();
  vi.advanceTimersByTime(5_000);
  expect(run).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
