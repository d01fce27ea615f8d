// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { changed, DEFAULT_BODY, type Draft, isBlank, lengthOf, newDraft } from "./draft";
import { forgetDraft, loadDraft, saveDraft } from "./store";

beforeEach(() => window.localStorage.clear());

describe("a draft", () => {
  test("begins blank, with the usual words and a key of its own", () => {
    const draft = newDraft();
    expect(isBlank(draft)).toBe(true);
    expect(draft.body).toBe(DEFAULT_BODY);
    expect(draft.key).toMatch(/^[0-9a-f]{32}$/);
    expect(newDraft().key).not.toBe(draft.key);
  });

  test("is no longer blank once anything was entered", () => {
    expect(isBlank({ ...newDraft(), title: "理事会" })).toBe(false);
    expect(isBlank({ ...newDraft(), excluded: [3] })).toBe(false);
    expect(isBlank({ ...newDraft(), body: "" })).toBe(false);
  });

  test("counts characters as people and the server do", () => {
    expect(lengthOf(" 祭🎣 ")).toBe(2);
  });
});

describe('the text of an invitation — found("24.A10")', () => {
  const typed = (...steps: Parameters<typeof changed>[1][]) => steps.reduce<Draft>(changed, newDraft());
  const when = { date: "2026-12-12", time: "18:00" };

  test("begins with title and date, however they are typed", () => {
    const letter = typed({ title: "理" }, { date: when.date }, { time: "19:00" }, { title: "理事会" }, { time: when.time });
    expect(letter.body).toBe(`「理事会」 12月12日（土）18:00\n${DEFAULT_BODY}`);
    expect(typed(when, { title: "理事会" }, { title: "" }).body).toBe(DEFAULT_BODY);
    expect(isBlank(typed(when, { title: "理事会" }, { title: "", date: "", time: "" }))).toBe(true);
  });

  test("keeps the own words of the office", () => {
    expect(typed({ body: "ご都合を。" }, when, { title: "理事会" }).body).toBe("「理事会」 12月12日（土）18:00\nご都合を。");
    expect(typed({ body: "理事会です。" }, when, { title: "理事会" }).body).toBe("理事会です。");
    expect(typed(when, { title: "理事会" }, { body: "線を消しました。" }, { time: "19:00" }).body).toBe("線を消しました。");
  });
});

describe("the stored draft", () => {
  test("comes back as it was, key and attempt included", () => {
    const draft = { ...newDraft(), title: "理事会", audienceIds: [1, 2], attempt: { memberIds: [7], overQuota: true } };
    saveDraft("jimukyoku", draft);
    expect(loadDraft("jimukyoku")).toEqual(draft);
  });

  test("belongs to the one who wrote it", () => {
    saveDraft("jimukyoku", { ...newDraft(), title: "理事会" });
    expect(loadDraft("iincho")).toBeNull();
  });

  test("is gone when it was discarded", () => {
    saveDraft("jimukyoku", newDraft());
    forgetDraft("jimukyoku");
    expect(loadDraft("jimukyoku")).toBeNull();
  });

  test("survives what another version or another hand has written", () => {
    const write = (text: string) => window.localStorage.setItem("tsudoi.event-draft.jimukyoku", text);
    write("{broken");
    expect(loadDraft("jimukyoku")).toBeNull();
    write('"text"');
    expect(loadDraft("jimukyoku")).toBeNull();
    write('{"key":"k","title":5,"audienceIds":[1,"x",-2],"attempt":{"memberIds":[]},"unknown":true}');
    expect(loadDraft("jimukyoku")).toEqual({ ...newDraft(), key: "k", audienceIds: [1], attempt: null });
  });

  test("costs nobody the form when the storage refuses", () => {
    const refusing = { setItem: () => { throw new Error("full"); }, getItem: () => { throw new Error("no"); } } as unknown as Storage;
    expect(() => saveDraft("jimukyoku", newDraft(), refusing)).not.toThrow();
    expect(loadDraft("jimukyoku", refusing)).toBeNull();
  });
});
