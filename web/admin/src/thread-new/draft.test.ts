import { describe, expect, test } from "vitest";
import { ApiError } from "../../../api/errors";
import { changed, isBlank, newDraft, subjectOf, wireThread } from "./draft";
import { serverErrors } from "./server-errors";
import { draftErrors, firstStepWith } from "./steps-of";
import { loadDraft, saveDraft } from "./store";

const NOW = new Date("2026-12-01T12:00:00+09:00");

class Memory {
  private readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

describe("a draft", () => {
  test("is blank at first and survives a reload with all its fields", () => {
    const storage = new Memory() as unknown as Storage;
    expect(isBlank(newDraft())).toBe(true);
    const draft = changed(newDraft(), { title: "理事会", slots: [{ date: "2026-12-10", start: "14:00", minutes: 60 }], memberIds: [3], subject: "件名", deadline: { date: "2026-12-08", time: "18:00" } });
    saveDraft("jimukyoku", draft, storage);
    expect(loadDraft("jimukyoku", storage)).toEqual(draft);
    expect(loadDraft("another", storage)).toBeNull();
  });

  test("takes nothing that it does not understand from the storage", () => {
    const storage = new Memory() as unknown as Storage;
    storage.setItem("tsudoi.thread-draft.jimukyoku", JSON.stringify({ key: "k", title: 5, slots: "x", memberIds: ["a", 7], rule: { kind: "?" } }));
    expect(loadDraft("jimukyoku", storage)).toMatchObject({ key: "k", title: "", slots: [], memberIds: [7], rule: newDraft().rule });
  });

  test("keeps its key until it was sent and then changed", () => {
    const draft = newDraft();
    expect(changed(draft, { title: "a" }).key).toBe(draft.key);
    const sent = { ...draft, attempted: true };
    expect(changed(sent, { title: "a" })).toMatchObject({ attempted: false });
    expect(changed(sent, { title: "a" }).key).not.toBe(draft.key);
  });

  test("becomes a thread that nobody is told about, with a Japanese subject", () => {
    const draft = changed(newDraft(), { title: " 理事会 ", audienceIds: [3], pasted: "山田 <a@x.jp>", slots: [{ date: "2026-12-10", start: "14:00", minutes: 60 }] });
    const body = wireThread(draft, [], NOW);
    expect(body).toMatchObject({ title: "理事会", audience_ids: [3], invitees: [{ name: "山田", email: "a@x.jp" }], send: false, mail_subject: "【日程のご相談】理事会" });
    expect(body).not.toHaveProperty("member_ids");
    expect(subjectOf({ title: "理事会", subject: "お願い" })).toBe("お願い");
  });

  test("leads to the first step that is not finished", () => {
    const draft = newDraft();
    expect(firstStepWith(draftErrors(draft, undefined, NOW))).toBe(1);
    const dated = changed(draft, { title: "理事会", slots: [{ date: "2026-12-10", start: "14:00", minutes: 60 }] });
    expect(firstStepWith(draftErrors(dated, undefined, NOW))).toBe(3);
    expect(draftErrors(changed(dated, { pasted: "x" }), undefined, NOW).pasted).toContain("1個");
    const full = changed(dated, { memberIds: [1, 2, 3, 4] });
    expect(firstStepWith(draftErrors(full, 4, NOW))).toBeNull();
    expect(firstStepWith(draftErrors(full, 0, NOW))).toBe(3);
    expect(firstStepWith(draftErrors(changed(full, { slots: [{ date: "2026-11-10", start: "14:00", minutes: 60 }] }), 4, NOW))).toBe(2);
  });
});

test("the server's refusals stand at the fields that they are about", () => {
  const refusal = (details: { field: string; reason: string }[]) => new ApiError(400, "INVALID_INPUT", "入力内容に誤りがあります。", details, null, null);
  expect(serverErrors(refusal([{ field: "slots.3.start_at", reason: "PAST_DATE" }]))).toEqual({ slots: "過去の日時です。これからの日時にしてください" });
  expect(serverErrors(refusal([{ field: "rule.k", reason: "OUT_OF_RANGE" }]))).toEqual({ rule: "入力し直してください" });
  expect(serverErrors(refusal([{ field: "x", reason: "UNKNOWN_FIELD" }]))).toBeNull();
  expect(serverErrors(new Error("x"))).toBeNull();
});
