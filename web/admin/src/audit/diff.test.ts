import { describe, expect, test } from "vitest";
import { changesOf, inWords, reasonInWords } from "./diff";
import { actionName, actorName, subjectName } from "./names";

const names = { member: (id: number) => ({ 5: "山田太郎" })[id], audience: (id: number) => ({ 2: "理事会" })[id] };

describe("changesOf", () => {
  test("names only what changed", () => {
    expect(changesOf({ name: "理事会", sort_order: 1 }, { name: "理事会", sort_order: 2 })).toEqual([
      { field: "sort_order", had: true, old: 1, new: 2 },
    ]);
  });

  test("compares nested values by what they say", () => {
    expect(changesOf({ ids: [1, 2] }, { ids: [1, 2] })).toEqual([]);
  });

  test("knows new and removed things", () => {
    expect(changesOf(null, { name: "理事会" })).toEqual([{ field: "name", had: false, old: undefined, new: "理事会" }]);
    expect(changesOf({ name: "理事会" }, null)).toEqual([{ field: "name", had: true, old: "理事会", new: undefined }]);
  });

  test("shows who came and who went as lists, and leaves empty ones out", () => {
    expect(changesOf({ removed: [] }, { added: [5] })).toEqual([{ field: "added", had: false, old: undefined, new: [5] }]);
    expect(changesOf({ removed: [5] }, { added: [] }).map(({ field }) => field)).toEqual(["removed"]);
  });
});

test("inWords speaks to people", () => {
  expect([null, "", [], true, false, 3, { a: 1 }].map((value) => inWords(value))).toEqual([
    "（なし）",
    "（なし）",
    "（なし）",
    "はい",
    "いいえ",
    "3",
    '{"a":1}',
  ]);
  expect(inWords([5, 9], "added", names)).toBe("山田太郎、会員 9");
  expect(inWords("2025-09-10T19:00:00+09:00", "held_at")).toBe("2025/09/10 19:00");
  expect(inWords("absent", "status")).toBe("欠席");
  expect(inWords(1200, "targets")).toBe("1,200人");
  expect(inWords("latest.csv", "file")).toBe("最新の回答（CSV）");
});

test("codes become words", () => {
  expect(subjectName("member:5", names)).toBe("会員「山田太郎」");
  expect(subjectName("audience:2", names)).toBe("グループ「理事会」");
  expect(subjectName("event:12", names)).toBe("イベント 12");
  expect(subjectName("member:6")).toBe("会員 6");
  expect(subjectName("members")).toBe("名簿");
  expect(actorName("admin:jimukyoku")).toBe("jimukyoku");
  expect(actorName("cli")).toBe("コマンド操作");
  expect(actionName("UNLINK")).toBe("LINEとの連携を解除");
  expect(actionName("SOMETHING_NEW")).toBe("SOMETHING_NEW");
  expect(reasonInWords("sheet:1AbC", "MEMBERS_SYNC")).toBe("スプレッドシートから");
  expect(reasonInWords("電話で本人に確認", "LINK")).toBe("電話で本人に確認");
});
