import { describe, expect, test } from "vitest";
import type { ThreadDetail } from "../shapes";
import { receiptOf, slotOf, THREAD } from "../thread.fixture";
import { answerOf, countOpen, marksOf, marksOnTheWay, newest, openSlots } from "./marks";
import { bodyOf, sameAnswer, THREAD_ANSWERS } from "./thread-answers";

describe("what is on record", () => {
  const read = { ...THREAD.selection, status: "selected", responded_at: "2026-12-01T02:00:00.000000+00:00" } as const;

  test("is the later of what was read and what was confirmed", () => {
    const receipt = receiptOf(["s1"]);
    expect(newest(THREAD, null)).toBe(THREAD.selection);
    expect(newest(THREAD, receipt)).toBe(receipt.selection);
    expect(newest({ ...THREAD, selection: read }, receipt)).toBe(receipt.selection);
    const later = { ...read, responded_at: "2026-12-01T04:00:00.000000+00:00" };
    expect(newest({ ...THREAD, selection: later }, receipt)).toBe(later);
  });

  test("has no mark for a slot that came after the answer", () => {
    const slots = [slotOf("s1", "12-10", { answer: "yes" }), slotOf("s2", "12-11", { answer: "no" }), slotOf("new", "12-13")];
    const thread: ThreadDetail = { ...THREAD, slots, selection: read };
    expect(marksOf(thread, read)).toEqual({ s1: "yes", s2: "no" });
  });

  test("of a confirmed answer has a mark for every slot", () => {
    expect(marksOf(THREAD, receiptOf(["s1"], ["s3"]).selection)).toEqual({ s1: "yes", s2: "no", s3: "maybe" });
    expect(marksOf(THREAD, receiptOf([]).selection)).toEqual({ s1: "no", s2: "no", s3: "no" });
  });
});

describe("an answer", () => {
  test("has only slots that can still be chosen", () => {
    const thread = { ...THREAD, slots: [slotOf("s1", "12-10", { begun: true, answer: "yes" }), slotOf("s2", "12-11")] };
    expect(openSlots(thread).map(({ slot_id }) => slot_id)).toEqual(["s2"]);
    expect(answerOf(openSlots(thread), { s1: "yes", s2: "maybe" }, " 遅れます ")).toEqual({
      selected_slot_ids: [],
      maybe_slot_ids: ["s2"],
      comment: "遅れます",
    });
  });

  test("that says × everywhere is a refusal", () => {
    expect(bodyOf({ selected_slot_ids: [], maybe_slot_ids: [], comment: "出張です" })).toEqual({ status: "declined", comment: "出張です" });
    expect(bodyOf({ selected_slot_ids: [], maybe_slot_ids: ["s1"], comment: null })).toMatchObject({ status: "selected", maybe_slot_ids: ["s1"] });
  });

  test("is the same in any order, and another one with another comment", () => {
    const answer = { selected_slot_ids: ["a", "b"], maybe_slot_ids: [], comment: null };
    expect(sameAnswer(answer, { ...answer, selected_slot_ids: ["b", "a"] })).toBe(true);
    expect(sameAnswer(answer, { ...answer, comment: "遅れます" })).toBe(false);
    expect(sameAnswer(answer, { ...answer, selected_slot_ids: ["a"], maybe_slot_ids: ["b"] })).toBe(false);
  });

  test("on its way is shown with its marks", () => {
    expect(marksOnTheWay(THREAD.slots, { selected_slot_ids: ["s2"], maybe_slot_ids: [], comment: null })).toEqual({ s1: "no", s2: "yes", s3: "no" });
    expect(countOpen(THREAD.slots, { s2: "yes" })).toBe(2);
  });

  test.each([{}, { selected_slot_ids: "a", maybe_slot_ids: [] }, { selected_slot_ids: [1], maybe_slot_ids: [] }])("is not read out of %o", (stored) => {
    expect(THREAD_ANSWERS.read(stored as never)).toBeNull();
  });
});
