import { describe, expect, test } from "vitest";
import type { Member } from "../members/queries";
import { candidatesOf, changesOf, inShort, isChanged, merged, shownOf, ticking } from "./membership";

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

describe("changes", () => {
  test("are what differs, in both directions", () => {
    const changes = changesOf(new Set([1, 2, 3]), new Set([2, 3, 4, 5]));
    expect(changes).toEqual({ added: [4, 5], removed: [1] });
    expect(inShort(changes)).toBe("+2人・−1人");
    expect(isChanged(changesOf(new Set([1]), new Set([1])))).toBe(false);
  });

  test("keep what somebody else did to the group meanwhile", () => {
    expect(merged([2, 3, 9], { added: [4], removed: [2] })).toEqual([3, 9, 4]);
    expect(merged([4], { added: [4], removed: [7] })).toEqual([4]);
  });
});

describe("the list", () => {
  const members = [member(1, "山田 太郎"), member(2, "ﾀﾅｶ 恵美", { line_user_id_present: false }), member(3, "退会 した人", { withdrawn: true })];

  test("shows who left only while in the group", () => {
    expect(candidatesOf(members, new Set()).map(({ id }) => id)).toEqual([1, 2]);
    expect(candidatesOf(members, new Set([3])).map(({ mark }) => mark)).toEqual([null, "未連携", "退会"]);
  });

  test("is filtered without regard to spaces, width and kana", () => {
    const candidates = candidatesOf(members, new Set());
    expect(shownOf(candidates, "山田太", null).map(({ id }) => id)).toEqual([1]);
    expect(shownOf(candidates, "たなか", null).map(({ id }) => id)).toEqual([2]);
    expect(shownOf(candidates, "", new Set([2])).map(({ id }) => id)).toEqual([2]);
    expect(shownOf(candidates, "", null)).toBe(candidates);
  });
});

test("ticking changes the named ones alone", () => {
  expect([...ticking(new Set([1, 2]), [2, 3], true)]).toEqual([1, 2, 3]);
  expect([...ticking(new Set([1, 2, 3]), [2, 3], false)]).toEqual([1]);
});
