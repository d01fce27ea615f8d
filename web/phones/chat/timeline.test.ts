import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../client/types";
import { timelineOf, unreadIn, withMessage } from "./timeline";

function entry(id: string, at: string, from: ChatMessage["from"] = "account", read = false): ChatMessage {
  return { id, at, from, read, message: { type: "text", text: id } };
}

const now = Date.parse("2025-09-02T12:00:00+09:00");

describe("timelineOf", () => {
  it("opens each Japanese day with its label", () => {
    const rows = timelineOf([entry("1", "2025-09-01T23:59:00+09:00"), entry("2", "2025-09-02T00:01:00+09:00")], now);
    expect(rows.map((row) => (row.kind === "day" ? row.label : row.entry.id))).toEqual(["昨日", "1", "今日", "2"]);
  });

  it("groups what one sender writes in a row, until the sender changes or time passes", () => {
    const rows = timelineOf(
      [
        entry("1", "2025-09-02T10:00:00+09:00"),
        entry("2", "2025-09-02T10:01:00+09:00"),
        entry("3", "2025-09-02T10:01:30+09:00", "user"),
        entry("4", "2025-09-02T10:09:00+09:00", "user"),
      ],
      now,
    );
    expect(rows.flatMap((row) => (row.kind === "message" ? [row.startsGroup] : []))).toEqual([true, false, true, true]);
  });

  it("is empty for an empty chat", () => {
    expect(timelineOf([], now)).toEqual([]);
  });
});

describe("withMessage", () => {
  const chat = [entry("1", "2025-09-02T10:00:00+09:00"), entry("3", "2025-09-02T10:02:00+09:00")];

  it("adds a new message in the order of time", () => {
    expect(withMessage(chat, entry("2", "2025-09-02T10:01:00+09:00")).map((one) => one.id)).toEqual(["1", "2", "3"]);
    expect(withMessage(chat, entry("4", "2025-09-02T10:02:00+09:00")).map((one) => one.id)).toEqual(["1", "3", "4"]);
  });

  it("does not double a message that the stream and a reload both bring", () => {
    const again = withMessage(chat, entry("3", "2025-09-02T10:02:00+09:00", "account", true));
    expect(again).toHaveLength(2);
    expect(again[1]?.read).toBe(true);
  });
});

describe("unreadIn", () => {
  it("counts the account's messages only", () => {
    const at = "2025-09-02T10:00:00+09:00";
    expect(unreadIn([entry("1", at), entry("2", at, "user"), entry("3", at, "account", true)])).toBe(1);
  });
});
