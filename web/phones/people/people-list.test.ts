import { describe, expect, it } from "vitest";
import type { Person } from "../client/types";
import { findPeople, friendshipLabel, rowsInSight } from "./people-list";

function person(user_id: string, display_name: string, following = true, blocked = false): Person {
  return { user_id, display_name, following, blocked, unread: user_id === "U2" ? 3 : 0, last_message: null };
}

const people = [
  person("U1", "田中 太郎"),
  person("U2", "Tanaka Ｊｉｒｏ"),
  person("U3", "鈴木", false),
  person("U4", "佐藤", false, true),
];
const find = (search: string, filter: Parameters<typeof findPeople>[1]["filter"] = "all") =>
  findPeople(people, { search, filter }, new Set(["U1"]), (one) => one.unread).map((one) => one.user_id);

describe("findPeople", () => {
  it("finds by a part of the name, whatever the width, case and spaces", () => {
    expect(find("田中太")).toEqual(["U1"]);
    expect(find("jiro")).toEqual(["U2"]);
    expect(find("ＴＡＮ")).toEqual(["U2"]);
    expect(find("")).toHaveLength(4);
  });

  it("filters by what the phones show and by friendship", () => {
    expect(find("", "shown")).toEqual(["U1"]);
    expect(find("", "unread")).toEqual(["U2"]);
    expect(find("", "strangers")).toEqual(["U3"]);
    expect(find("", "blocked")).toEqual(["U4"]);
  });
});

describe("friendshipLabel", () => {
  it("tells the three states apart", () => {
    expect(people.map(friendshipLabel)).toEqual(["友だち", "友だち", "まだ友だちではありません", "ブロック中"]);
  });
});

describe("rowsInSight", () => {
  it("draws a small part of a long list", () => {
    expect(rowsInSight(500, 60, 6000, 600)).toEqual({ first: 94, last: 116 });
  });

  it("stays inside the list", () => {
    expect(rowsInSight(3, 60, 0, 600)).toEqual({ first: 0, last: 3 });
    expect(rowsInSight(0, 60, 900, 600)).toEqual({ first: 0, last: 0 });
    expect(rowsInSight(3, 60, 6000, 600)).toEqual({ first: 3, last: 3 });
  });
});
