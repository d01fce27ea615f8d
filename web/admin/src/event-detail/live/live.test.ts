import { describe, expect, test } from "vitest";
import type { EventDetail, Person } from "../event";
import { INITIAL_STATE, liveReducer, needsReload } from "./state";
import { type LiveAnswer, type LiveUpdate, parseUpdate, withAnswers } from "./update";

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

const update = (more: Partial<LiveUpdate> = {}): LiveUpdate => ({
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
  test("keeps each person's newest answer and highlights the row", () => {
    const first = liveReducer(INITIAL_STATE, { type: "updated", update: update({ answers: [answer(1, 1), answer(2, 1, { status: "absent" })] }) });
    expect(first.answers.get(1)?.status).toBe("absent");
    expect([...first.highlighted]).toEqual([1]);
  });

  test("an answer that comes twice is highlighted once", () => {
    const runOnce = liveReducer(INITIAL_STATE, { type: "updated", update: update({ answers: [answer(2, 1)] }) });
    const faded = liveReducer(runOnce, { type: "faded", members: [1] });
    const twice = liveReducer(faded, { type: "updated", update: update({ answers: [answer(2, 1)] }) });
    expect(twice.highlighted.size).toBe(0);
  });

  test("a finished load replaces what came before it began, and nothing after", () => {
    const before = liveReducer(INITIAL_STATE, { type: "updated", update: update({ answers: [answer(1, 1)] }) });
    const after = liveReducer(before, { type: "updated", update: update({ answers: [answer(2, 2)] }) });
    const settled = liveReducer(after, { type: "reloaded", before: before.answers });
    expect([...settled.answers.keys()]).toEqual([2]);
  });

  test("a lost stream no longer says how the sending goes", () => {
    const live = liveReducer(INITIAL_STATE, { type: "updated", update: update() });
    expect(live.push).toEqual({ success: 2, fail: 0, unknown: 0, pending: 0 });
    expect(liveReducer(live, { type: "lost" })).toMatchObject({ answers: live.answers, push: undefined });
  });
});

describe("needsReload", () => {
  const none = new Map();
  test("only when the stream cannot spell out what changed", () => {
    expect(needsReload(shown, none, update())).toBe(false);
    expect(needsReload(shown, none, update({ reload: true }))).toBe(true);
    expect(needsReload(shown, none, update({ targets_total: 3 }))).toBe(true);
    expect(needsReload(shown, none, update({ event: { ...update().event, sequence: 1 } }))).toBe(true);
    expect(needsReload(shown, none, update({ event: { ...update().event, cancelled: true } }))).toBe(true);
  });

  test("when the numbers do not agree, unless what was missed is about to follow", () => {
    const counts = { attend: 1, absent: 0, pending: 1 };
    expect(needsReload(shown, none, update({ counts }))).toBe(true);
    expect(needsReload(shown, none, update({ counts, reload: false }))).toBe(false);
    expect(needsReload(shown, new Map([[1, answer(1, 1)]]), update({ counts }))).toBe(false);
  });
});

test("parseUpdate refuses what is not ours", () => {
  expect([parseUpdate(null), parseUpdate({}), parseUpdate([])]).toEqual([null, null, null]);
  expect(parseUpdate(update())).toEqual(update());
});
