import { describe, expect, it } from "vitest";
import type { Person } from "../client/types";
import { badgeText, titleWith, totalUnread, unreadOf } from "./unread";

const person: Person = {
  user_id: "U1",
  display_name: "田中",
  following: true,
  blocked: false,
  unread: 4,
  last_message: null,
};

describe("unreadOf", () => {
  it("believes the sandbox for a chat that was never opened", () => {
    expect(unreadOf(person, {})).toBe(4);
  });

  it("believes the opened chat", () => {
    const at = "2025-09-02T10:00:00+09:00";
    const message = { type: "text", text: "" };
    expect(unreadOf(person, { U1: [{ id: "1", from: "account", at, read: false, message }] })).toBe(1);
    expect(totalUnread([person, { ...person, user_id: "U2" }], { U1: [] })).toBe(4);
  });
});

describe("badges", () => {
  it("stay short", () => {
    expect(badgeText(7)).toBe("7");
    expect(badgeText(100)).toBe("99+");
    expect(titleWith(0)).not.toContain("(");
    expect(titleWith(2)).toMatch(/^\(2\)/);
  });
});
