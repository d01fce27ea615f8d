import { describe, expect, test } from "vitest";
import type { Member } from "./queries";
import { refusedRows, sourceName, syncCommand } from "./refusals";
import { membersSearch } from "./search";
import { countsOf, found, linkState } from "./state";

const member = (id: number, name: string, more: Partial<Member> = {}): Member => ({
  id,
  name,
  kana: null,
  display_order: id,
  line_user_id_present: true,
  is_target: 1,
  role: "member",
  line_display_name: null,
  reachable: true,
  withdrawn: false,
  last_contact_at: null,
  ...more,
});

const roster = [
  member(1, "山田 太郎", { line_display_name: "たろう" }),
  member(2, "佐藤 花子", { reachable: false }),
  member(3, "鈴木 一郎", { line_user_id_present: false, reachable: false, is_target: 0 }),
  member(4, "高橋 退", { withdrawn: true, is_target: 0 }),
];

describe("the roster's lists", () => {
  test("count those who are there, and those who left apart from them", () => {
    expect(countsOf(roster)).toEqual({ present: 3, linked: 2, unlinked: 1, blocked: 1, untargeted: 1, withdrawn: 1 });
    expect(roster.map(linkState)).toEqual(["linked", "blocked", "unlinked", "linked"]);
  });

  test("find by name, by LINE name and by number", () => {
    expect(found(roster, "present", "山田太").map(({ id }) => id)).toEqual([1]);
    expect(found(roster, "present", "タロウ").map(({ id }) => id)).toEqual([1]);
    expect(found([member(7, "髙橋", { kana: "ﾀｶﾊｼ" })], "present", "たかは")).toHaveLength(1);
    expect(found([member(7, "髙橋")], "present", "高橋")).toHaveLength(1);
    expect(found(roster, "present", "3").map(({ id }) => id)).toEqual([3]);
    expect(found(roster, "present", "高橋")).toEqual([]);
    expect(found(roster, "withdrawn", "高橋")).toHaveLength(1);
  });
});

test("refused rows are told in Japanese", () => {
  const refusals = [
    { row: 14, id: null, reason: "氏名が空です / empty name; id がありません / no id" },
    { row: 15, id: 3, reason: "氏名が長すぎます（100文字まで）/ name longer than 100" },
  ];
  expect(refusedRows({ refusals })).toEqual([
    { row: "14", reasons: ["氏名が空です", "id がありません"] },
    { row: "15", reasons: ["氏名が長すぎます（100文字まで）"] },
  ]);
  expect([sourceName("sheet:1AbC"), sourceName("名簿.xlsx")]).toEqual(["スプレッドシート", "ファイル「名簿.xlsx」"]);
});

test("the address keeps the list, and nonsense in it means the roster", () => {
  expect(membersSearch({ tab: "friends" })).toEqual({ tab: "friends" });
  expect(membersSearch({ show: "blocked" })).toEqual({ show: "blocked" });
  expect(membersSearch({ show: "present", tab: "x" })).toEqual({});
});

test('found("24.C11") the command for the next sync names the file that the last one came from', () => {
  const from = (source: string | null, hasSheet: boolean) => syncCommand("tsudoi", source === null ? null : { source }, hasSheet);
  expect([from("sheet:1AbC", true), from(null, true)]).toEqual(["tsudoi members sync", "tsudoi members sync"]);
  expect(from("名簿 2026.xlsx", true)).toBe("tsudoi members sync --file '名簿 2026.xlsx'");
  expect(from(null, false)).toBe("tsudoi members sync --file 名簿.xlsx");
  expect(from("sheet:1AbC", false)).toBe("tsudoi members sync --file 名簿.xlsx");
  expect(from("it's.csv", false)).toBe(String.raw`tsudoi members sync --file 'it'\''s.csv'`);
  expect(from("-x.csv", false)).toBe("tsudoi members sync --file ./-x.csv");
});
