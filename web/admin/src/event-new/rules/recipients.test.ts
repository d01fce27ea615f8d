import { describe, expect, test } from "vitest";
import type { Member } from "../queries";
import { splitLinks } from "./links";
import { chosen, notReached, searchRecipients, recipientsOf, excludedAfter } from "./recipients";

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
const MEMBERS = [
  member(1, "山田 太郎"),
  member(2, "佐藤 花子", { line_user_id_present: false, reachable: false }),
  member(3, "髙橋　美咲", { is_target: 0 }),
  member(4, "Ken Watanabe", { reachable: false }),
];
const PEOPLE = recipientsOf(
  MEMBERS.map(({ id, name, kana, display_order }) => ({ member_id: id, name, kana, display_order })),
  MEMBERS,
);

describe("the recipients", () => {
  test("keep their order and say who cannot be reached, and why", () => {
    expect(PEOPLE.map(({ id, unreachableReason, blocked }) => [id, unreachableReason, blocked])).toEqual([
      [1, null, false],
      [2, "LINEと連携していません", false],
      [3, "配信の対象から外れています", false],
      [4, null, true],
    ]);
  });

  test("are all who can be reached, but for those who were unticked", () => {
    expect(chosen(PEOPLE, new Set()).map(({ id }) => id)).toEqual([1, 4]);
    expect(chosen(PEOPLE, new Set([4])).map(({ id }) => id)).toEqual([1]);
  });

  test("are found without regard to spaces, width and case", () => {
    const names = (text: string) => searchRecipients(PEOPLE, text).map(({ id }) => id);
    expect([names("山田太郎"), names(" 美　咲"), names("ｋｅｎ"), names(""), names("いない")]).toEqual([[1], [3], [4], [1, 2, 3, 4], []]);
  });

  test("are ticked and unticked many at a time", () => {
    expect(excludedAfter([9], [1, 4], false)).toEqual([9, 1, 4]);
    expect(excludedAfter([9, 1, 4], [1, 4], true)).toEqual([9]);
    expect(excludedAfter([1], [1], false)).toEqual([1]);
  });
});

describe("links in a text", () => {
  test("are set apart, with the number that is still to come", () => {
    expect(splitLinks("出欠を\nhttps://liff.line.me/1-a/events/○○")).toEqual([
      { text: "出欠を\n", link: false },
      { text: "https://liff.line.me/1-a/events/○○", link: true },
    ]);
  });
});

test('found("24.A5"): everybody whom the message will not reach is named once with the reason', () => {
  const person = (id: number, unreachableReason: string | null) => ({ id, name: `会員${id}`, kana: null, unreachableReason, blocked: false });
  const previewed = [
    { member_id: 2, name: "会員2", reason_text: "公式アカウントをブロックしています" },
    { member_id: 9, name: "会員9", reason_text: "退会しています" },
  ];
  expect(notReached([person(1, null), person(2, null), person(3, "LINEと連携していません")], previewed)).toEqual([
    { name: "会員2", why: "公式アカウントをブロックしています" },
    { name: "会員3", why: "LINEと連携していません" },
    { name: "会員9", why: "退会しています" },
  ]);
});
