import { describe, expect, test } from "vitest";
import type { Board, BoardPerson, BoardSlot } from "../threads/thread";
import { tagOf } from "../threads-list/tag";
import { threadsSearch } from "../threads-list/search";
import { boardSearch, threadNewSearch } from "../threads/search";
import { namesInShort } from "../threads/thread";
import { onlyThese } from "./actions/board-body";
import { changedByOthers, changesOf, fieldsOf } from "./actions/changes";
import { recordLabel, wireAnswer } from "./on-behalf";
import { askedLately, commonText, filtered, lateText, mailTrouble, needsCall, personWords, promising, remindedText, sendingText, skippedText, slotWords, waitingCount } from "./words";

const slot = (fields: Partial<BoardSlot> = {}) => ({ slot_id: "s1", begun: false, valid: false, possible: true, missing: "あと1人です", ...fields }) as BoardSlot;
const state = (status: string, evaluation: object = {}) =>
  ({ thread: { status }, evaluation: { final_slot_id: null, would_finalize_slot_id: null, needs_maybe: false, ...evaluation } }) as Pick<Board, "thread" | "evaluation">;
const person = (fields: Partial<BoardPerson> = {}) => ({ status: "pending", state: "open", responded_at: null, can_change: false, delivery: null, ...fields }) as BoardPerson;
const message = (type: string, how: string) => ({ type, state: how, channel: "mail", text: "", at: "" }) as BoardPerson["delivery"];

describe("a slot in words", () => {
  test.each([
    [slot(), state("active"), "あと1人です"],
    [slot({ missing: null }), state("active"), "回答を待っています"],
    [slot({ begun: true }), state("active"), "過ぎました"],
    [slot({ valid: true }), state("active"), "条件が揃っています"],
    [slot({ possible: false }), state("active"), "もう条件が揃いません"],
    [slot(), state("active", { would_finalize_slot_id: "s1", needs_maybe: true }), "△を入れれば、条件が揃っています"],
    [slot(), state("finalized", { final_slot_id: "s1" }), "この日に決まりました"],
    [slot(), state("finalized", { final_slot_id: "s2" }), ""],
    [slot(), state("cancelled", { final_slot_id: "s1" }), "決定していました"],
  ])("%#", (given, board, text) => expect(slotWords(given, board).text).toBe(text));
});

test('a button that decides says so — found("24.B1")', () => {
  const decides = { slot_id: "s1", start_at: "2026-12-14T14:00:00+09:00", end_at: "2026-12-14T15:00:00+09:00", timezone: "Asia/Tokyo", label: null };
  expect(recordLabel(undefined)).toBe("代理で回答を記録する");
  expect(recordLabel({ decides: null, told: 0, to_call: 0 })).toBe("代理で回答を記録する");
  expect(recordLabel({ decides, told: 9, to_call: 1 })).toBe("記録すると12/14（月）に決まり、9人に知らせます");
  expect(recordLabel({ decides, told: 0, to_call: 3 })).toBe("記録すると12/14（月）に決まります");
});

describe("a person in words", () => {
  test("says whether the answer matters", () => {
    expect(personWords(person(), "active").text).toBe("未回答");
    expect(personWords(person({ can_change: true }), "active").text).toBe("未回答（結果を左右します）");
    expect(personWords(person({ can_change: true }), "active", false).text).toBe("未回答");
    expect(personWords(person({ can_change: true }), "draft").text).toBe("未送信");
    expect(personWords(person({ state: "lapsed" }), "active").text).toBe("期限までに回答がありません");
    expect(personWords(person({ responded_at: "x", state: "yes" }), "active").text).toBe("回答済み");
    expect(personWords(person({ responded_at: "x", state: "declined", status: "declined" }), "active").text).toBe("どの日も行けません");
  });

  test("is called where nothing arrived, but not about an invitation that was answered", () => {
    expect(needsCall(person())).toBe(false);
    expect(needsCall(person({ delivery: message("invite", "sent") }))).toBe(false);
    expect(needsCall(person({ delivery: message("invite", "call") }))).toBe(true);
    expect(needsCall(person({ delivery: message("invite", "failed"), status: "accepted" }))).toBe(false);
    expect(needsCall(person({ delivery: message("decision", "failed"), status: "accepted" }))).toBe(true);
  });

  test("gets no mails for a reason, and somebody can do something about it", () => {
    expect(mailTrouble({ mail_stopped: false, mail_bounced: false })).toBeNull();
    expect(mailTrouble({ mail_stopped: true, mail_bounced: true })).toContain("この件のメールを再開する");
    expect(mailTrouble({ mail_stopped: false, mail_bounced: true })).toContain("tsudoi mail forgive");
  });

  test('a reminder that reaches nobody says so, and whose time was extended — found("24.A9")', () => {
    expect(remindedText({ reminded: [] })).toBe("督促を送る方がいませんでした。");
    const quiet = remindedText({ reminded: [], extended: [{ invitee_key: "lm:1" }] });
    expect(quiet).toContain("督促を送る方がいませんでした。1人の回答できる期間は、知らせずにのばしました。");
    expect(remindedText({ reminded: ["lm:1"], extended: [{ invitee_key: "lm:1" }] })).not.toContain("知らせずに");
  });

  test('is not reminded at once of what has just gone out — found("24.A11")', () => {
    const now = Date.parse("2026-12-12T18:00:00+09:00");
    const thread = (sent_at: string | null) => ({ sent_at }) as Board["thread"];
    const later = { ...message("invite", "sent"), at: "2026-12-12T17:00:00+09:00" } as BoardPerson["delivery"];
    expect(askedLately({ thread: thread(null), people: [] }, now)).toBeNull();
    expect(askedLately({ thread: thread("2026-12-12T10:00:00+09:00"), people: [] }, now)).toBe("2026-12-12T10:00:00+09:00");
    expect(askedLately({ thread: thread("2026-12-01T10:00:00+09:00"), people: [] }, now)).toBeNull();
    expect(askedLately({ thread: thread("2026-12-01T10:00:00+09:00"), people: [{ delivery: later }] }, now)).toBe("2026-12-12T17:00:00+09:00");
  });

  test('a late answer is shown as what was said — found("24.B2")', () => {
    const late = { coming: false, comment: "急用", via: "office", answered_by: null, answered_at: "" } as const;
    expect(lateText({ late })).toBe("参加しない「急用」");
    expect(lateText({ late: { ...late, coming: true, comment: null } })).toBe("参加する");
    expect(lateText({ late: null })).toBe("");
  });

  test("is counted while the message to the person waits", () => {
    const people = [person({ delivery: message("invite", "waiting") }), person({ delivery: message("invite", "sent") }), person()];
    expect(waitingCount(people)).toBe(1);
  });

  test("is found by the filters", () => {
    const people = [person(), person({ responded_at: "x" }), person({ responded_at: "x", delivery: message("decision", "call") })];
    expect([filtered(people, "all").length, filtered(people, "open").length, filtered(people, "call").length]).toEqual([3, 1, 1]);
  });
});

test("what was sent has only begun to go out", () => {
  expect(sendingText(500)).toContain("500人への送信を始めました。");
  expect(sendingText(2, "督促の")).toContain("2人への督促の送信を始めました。");
  expect(sendingText(null)).toMatch(/^送信を始めました。/);
  expect(sendingText(0)).toContain("電話してください");
});

test("of many slots the most promising are shown, in the order of time", () => {
  const slots = [slot({ slot_id: "a", yes: 1 }), slot({ slot_id: "b", yes: 5, possible: false }), slot({ slot_id: "c", yes: 3 }), slot({ slot_id: "d", yes: 0 })];
  expect(promising(slots, state("active", { would_finalize_slot_id: "d" }).evaluation, 2).map(({ slot_id }) => slot_id)).toEqual(["c", "d"]);
});

test("those who are left out are counted by reason", () => {
  const skipped = [{ invitee_key: "a", reason: "ANSWERED" }, { invitee_key: "b", reason: "ANSWERED" }, { invitee_key: "c", reason: "NEW" }];
  expect(skippedText(skipped)).toBe("回答済み 2人、そのほか 1人");
});

test("an answer on behalf has a ○ or a △, or is a refusal", () => {
  expect(wireAnswer({ a: "yes", b: "maybe", gone: "yes" }, ["a", "b"], false, " 遅れます ")).toEqual({ status: "selected", selected_slot_ids: ["a"], maybe_slot_ids: ["b"], comment: "遅れます" });
  expect(wireAnswer({ a: "no" }, ["a"], false, "")).toBeNull();
  expect(wireAnswer({ a: "yes" }, ["a"], true, "")).toEqual({ status: "declined" });
});

test("only what was changed is sent", () => {
  const thread = { title: "理事会", place: null, description: "a", deadline_at: "2026-12-08T09:00:00.000000+00:00", decide_at_deadline: false, remind_before_deadline: true, maybe_allowed: true, answers_visible: false } as Board["thread"];
  const fields = fieldsOf(thread);
  expect(changesOf(thread, fields)).toEqual({});
  expect(changesOf(thread, { ...fields, description: " ", maybe: false, deadline: { date: "2026-12-09", time: "18:00" } })).toEqual({
    description: null,
    maybe_allowed: false,
    deadline_at: "2026-12-09T18:00:00+09:00",
  });
  expect(changesOf(thread, { ...fields, deadline: { date: "", time: "" } })).toEqual({ deadline_at: null });
  expect(changedByOthers(thread, { ...thread, title: "総会", maybe_allowed: false }, { title: "役員会", place: "本部" })).toEqual(["題名"]);
});

test("only those who were shown are asked, and not those of a group who were asked before", () => {
  const people = [person({ invitee_key: "e:1", email: "Old@x.jp" }), person({ invitee_key: "lm:7", email: "member@x.jp" }), person({ invitee_key: "lm:8", email: "" })];
  const pasted = ["old@x.jp", "member@x.jp", "new@x.jp"].map((email) => ({ name: email, email }));
  const shown = [{ invitee_key: "lm:9" }, { invitee_key: "e:2" }];
  expect(onlyThese({ people }, pasted, shown)).toEqual({ member_ids: [9], invitees: [{ name: "new@x.jp", email: "new@x.jp" }] });
  expect(onlyThese({ people }, pasted, [{ invitee_key: "e:1" }]).invitees.map(({ email }) => email)).toEqual(["old@x.jp", "new@x.jp"]);
});

test("addresses keep what is understood and drop the rest", () => {
  expect(threadsSearch({ status: "active", query: 2026, x: 1 })).toEqual({ status: "active", query: "2026" });
  expect(threadsSearch({ status: "?", query: " " })).toEqual({});
  expect(threadNewSearch({ step: 3 })).toEqual({ step: 3 });
  expect(threadNewSearch({ step: 9 })).toEqual({});
  expect(boardSearch({ made: "sent", told: 5, as_of: "2026-12-01T12:00" })).toEqual({ made: "sent", told: 5, as_of: "2026-12-01T12:00" });
  expect(boardSearch({ made: "?", told: 5 })).toEqual({});
});

test("a thread in one word, and names in short", () => {
  expect(tagOf({ status: "active", state: "satisfied" }).text).toBe("決定できます");
  expect(tagOf({ status: "draft", state: "open" }).text).toBe("下書き");
  expect(namesInShort([1, 2, 3].map((n) => ({ name: `人${n}` })), 2)).toBe("人1、人2 ほか1人");
});

test('what all dates have in common is said once, found("24.C10")', () => {
  expect(commonText(["あと2人", "あと2人"])).toBe("あと2人");
  expect(commonText(["あと2人", "条件が揃っています"])).toBeNull();
  expect(commonText(["", ""])).toBeNull();
});

test('who was called is not to be called again, found("24.C9")', () => {
  const delivery = { type: "invite", channel: "call", state: "call", text: "", at: "" } as const;
  const call = { id: 1, since: "", done_at: null, done_by: null, result: null, note: null };
  expect(needsCall({ delivery, status: "pending", call })).toBe(true);
  expect(needsCall({ delivery, status: "pending", call: { ...call, done_at: "2026-12-01T00:00:00+00:00", result: "told" } })).toBe(false);
});
