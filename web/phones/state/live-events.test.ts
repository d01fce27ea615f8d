import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../client/sandbox";
import type { ChatMessage, Person } from "../client/types";
import { applyEvent } from "./live-events";
import { getState, initialState, update } from "./store";

function person(user_id: string, unread = 0): Person {
  return { user_id, display_name: `${user_id}さん`, following: true, blocked: false, unread, last_message: null };
}

function message(id: string, from: ChatMessage["from"] = "account"): ChatMessage {
  return { id, from, at: "2025-09-02T10:00:00+09:00", read: false, message: { type: "text", text: `本文${id}` } };
}

beforeEach(() => {
  vi.useFakeTimers();
  update({ ...initialState, people: [person("U1"), person("U2")] });
  return () => {
    vi.runAllTimers();
    vi.useRealTimers();
  };
});

describe("a message", () => {
  it("goes into an opened chat once and is announced", () => {
    update({ chats: { U1: [] } });
    applyEvent({ type: "message", user_id: "U1", message: message("1"), unread: 1 });
    applyEvent({ type: "message", user_id: "U1", message: message("1"), unread: 1 });
    expect(getState().chats["U1"]).toHaveLength(1);
    expect(getState().announcement).toContain("本文1");
  });

  it("only counts for a phone that was never opened", () => {
    applyEvent({ type: "message", user_id: "U2", message: message("1"), unread: 5 });
    vi.runAllTimers();
    expect(getState().chats).toEqual({});
    expect(getState().people[1]).toMatchObject({ unread: 5, last_message: { text: "本文1" } });
    expect(getState().announcement).toBe("");
  });
});

describe("a reading", () => {
  it("wins over a message that was counted just before", () => {
    update({ chats: { U1: [message("1")] } });
    applyEvent({ type: "message", user_id: "U1", message: message("2"), unread: 2 });
    applyEvent({ type: "read", user_id: "U1" });
    vi.runAllTimers();
    expect(getState().people[0]).toMatchObject({ unread: 0, last_message: { text: "本文2" } });
    expect(getState().chats["U1"]?.every((entry) => entry.read)).toBe(true);
  });
});

describe("a person", () => {
  it("is added at the end or changed in place", () => {
    applyEvent({ type: "user", user: person("U3") });
    applyEvent({ type: "user", user: { ...person("U1"), blocked: true } });
    expect(getState().people.map((one) => [one.user_id, one.blocked])).toEqual([
      ["U1", true],
      ["U2", false],
      ["U3", false],
    ]);
  });
});

describe("a call", () => {
  it("is kept with the last five hundred", () => {
    for (let n = 1; n <= 501; n += 1) applyEvent({ type: "call", call: { n } });
    expect(getState().calls).toHaveLength(500);
    expect(getState().calls[0]?.n).toBe(2);
  });
});

describe("everybody's answers", () => {
  const run = { running: true, stopped: false, people: 3, attend: 1, absent: 0, failed: 0 };

  it("are shown while they come and spoken of at the end only", () => {
    applyEvent({ type: "answers", answers: run });
    expect(getState()).toMatchObject({ answers: run, announcement: "" });
    applyEvent({ type: "answers", answers: { ...run, running: false, attend: 3 } });
    expect(getState().announcement).toContain("3人が回答しました");
  });

  it("are no news when nobody was asked", () => {
    applyEvent({ type: "answers", answers: { ...run, running: false, people: 0, attend: 0 } });
    expect(getState()).toMatchObject({ answers: null, announcement: "" });
  });
});

describe("the conditions", () => {
  it("are read anew when somebody changed them", async () => {
    vi.spyOn(sandbox, "faults").mockResolvedValue([{ id: "a", kind: "slow", endpoint: "*" }]);
    vi.spyOn(sandbox, "quota").mockResolvedValue({ type: "limited", value: 1, total_usage: 1 });
    applyEvent({ type: "conditions" });
    await vi.waitFor(() => expect(getState().faults).toHaveLength(1));
    expect(getState().quota.type).toBe("limited");
  });
});

it("leaves unknown events alone", () => {
  const before = getState();
  applyEvent({ type: "weather" });
  expect(getState()).toBe(before);
});
