// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../client/types";
import { keepChosen, phonesToShow, readChosen, withoutPhone, withPhone } from "./shown-phones";

function person(user_id: string): Person {
  return { user_id, display_name: user_id, following: true, blocked: false, unread: 0, last_message: null };
}

const people = ["U1", "U2", "U3", "U4"].map(person);

describe("phonesToShow", () => {
  it("shows the first three to a newcomer", () => {
    expect(phonesToShow(null, people)).toEqual(["U1", "U2", "U3"]);
    expect(phonesToShow(null, [])).toEqual([]);
  });

  it("shows what was chosen, in that order, as far as it exists", () => {
    expect(phonesToShow(["U4", "gone", "U1"], people)).toEqual(["U4", "U1"]);
  });

  it("respects that all phones were put away", () => {
    expect(phonesToShow([], people)).toEqual([]);
  });

  it("starts over when nobody of the choice exists any more", () => {
    expect(phonesToShow(["gone"], people)).toEqual(["U1", "U2", "U3"]);
  });
});

describe("withPhone and withoutPhone", () => {
  it("add once and take away", () => {
    expect(withPhone(["U1"], "U2")).toEqual(["U1", "U2"]);
    expect(withPhone(["U1"], "U1")).toEqual(["U1"]);
    expect(withoutPhone(["U1", "U2"], "U1")).toEqual(["U2"]);
  });
});

describe("the kept choice", () => {
  beforeEach(() => localStorage.clear());

  it("comes back as it was kept", () => {
    expect(readChosen(localStorage)).toBeNull();
    keepChosen(localStorage, ["U2"]);
    expect(readChosen(localStorage)).toEqual(["U2"]);
  });

  it("is forgotten when it cannot be read", () => {
    localStorage.setItem("tsudoi.phones.shown", "{broken");
    expect(readChosen(localStorage)).toBeNull();
  });
});
