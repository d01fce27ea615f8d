import { expect, test } from "vitest";
import type { RecordItem } from "./queries";
import { peopleSearch } from "./search";
import { byWhom, compared, nameOf, originName, reasonOf, traitNames } from "./words";

const member: RecordItem = {
  kind: "member",
  id: "101",
  label: "会員",
  name: "山田 太郎",
  kana: "やまだ たろう",
  state: "active",
  contact: null,
  facts: [{ label: "名簿の番号", value: "101" }],
  path: "/members",
};
const staff: RecordItem = { ...member, kind: "staff", name: "山田太郎", kana: "ヤマダタロウ", contact: "t@example.jp", facts: [{ label: "職員番号", value: "7" }] };

test("the address keeps what is understood and drops the rest", () => {
  expect(peopleSearch({ q: 446752, kind: "robot", other: 1 })).toEqual({ q: "446752" });
  expect(peopleSearch({ q: "  ", kind: "staff" })).toEqual({ kind: "staff" });
});

test("a comparison shows what only one of the two has", () => {
  expect(compared(member, staff)).toEqual([
    { label: "名前", ours: "山田 太郎", theirs: "山田太郎", same: true },
    { label: "ふりがな", ours: "やまだ たろう", theirs: "ヤマダタロウ", same: true },
    { label: "状態", ours: "有効", theirs: "有効", same: false },
    { label: "名簿の番号", ours: "101", theirs: "", same: false },
    { label: "メール", ours: "", theirs: "t@example.jp", same: false },
    { label: "職員番号", ours: "", theirs: "7", same: false },
  ]);
});

test("codes become words", () => {
  expect(originName({ origin: "portal" })).toBe("ご本人が職員ポータルで連携");
  expect(traitNames(["line_user", "name"])).toBe("LINEと名前が同じ");
  expect([byWhom("staff:7f3c"), byWhom("admin:yamada")]).toEqual(["ご本人", "yamada"]);
  expect([reasonOf({ reason: "name_key" }), reasonOf({ reason: "" }), reasonOf({ reason: "電話" })]).toEqual([null, null, "電話"]);
  expect([nameOf({ name: "", kind: "line" }), nameOf({ name: "花", kind: "line" })]).toEqual(["（名前なし）", "花"]);
});
