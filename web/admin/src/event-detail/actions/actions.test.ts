import { describe, expect, test } from "vitest";
import { ApiError, isStale, Unreachable } from "../../../../api/errors";
import { changesOf, merged, refusalOf, theirChanges } from "./changes";
import { fieldError, isAboutFields, messageOf } from "./field-errors";
import { IdempotencyKeys } from "./idempotency-keys";

const refused = (status: number, code: string, ...details: [string, string][]) =>
  new ApiError(status, code, "だめでした。", details.map(([field, reason]) => ({ field, reason })), null, null);

describe("errors", () => {
  test("stand at their field in Japanese", () => {
    const error = refused(400, "INVALID_INPUT", ["held_at", "PAST_DATE"], ["member_ids.7", "NOT_REACHABLE"]);
    expect(fieldError(error, "held_at")).toContain("過去の日時");
    expect(fieldError(error, "member_ids")).toContain("LINEで届かなくなった");
    expect(fieldError(error, "title")).toBeNull();
    expect(isAboutFields(error, ["title", "body"])).toBe(false);
  });

  test("an unknown reason and an unknown error still have words", () => {
    expect(fieldError(refused(400, "INVALID_INPUT", ["title", "NEW_REASON"]), "title")).toBe("入力し直してください");
    expect(messageOf(new Unreachable())).toContain("つながりません");
    expect(messageOf(new TypeError("x"))).toContain("読み込み直して");
  });

  test("only one code means that somebody was quicker", () => {
    expect(isStale(refused(409, "CHANGED_MEANWHILE"))).toBe(true);
    expect(isStale(refused(409, "EVENT_CANCELLED"))).toBe(false);
  });
});

test("a key belongs to what is asked for", () => {
  const keys = new IdempotencyKeys();
  const first = keys.keyFor({ title: "一" });
  expect(keys.keyFor({ title: "一" })).toBe(first);
  expect(keys.keyFor({ title: "二" })).not.toBe(first);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
});

describe("changes", () => {
  const base = { title: "理事会", body: null, held_at: "2025-09-10T19:00:30+09:00", sequence: 1 };
  const fields = { title: "理事会", date: "2025-09-10", time: "19:00", body: "" };

  test("only what differs is sent, and seconds that no field shows are no difference", () => {
    expect(changesOf(base, fields)).toEqual({});
    expect(changesOf(base, { ...fields, title: " 総会 ", time: "20:00" })).toEqual({ title: "総会", held_at: "2025-09-10T20:00:00+09:00" });
    expect(changesOf(base, { ...fields, time: "" })).toEqual({ held_at: "" });
  });

  test("what the server would refuse is said before it is asked", () => {
    const now = new Date("2025-09-01T12:00:30+09:00");
    const refused = refusalOf({ title: "", held_at: "2025-08-31T12:00:00+09:00", body: "あ".repeat(2001) }, now);
    expect(refused?.details.map(({ reason }) => reason)).toEqual(["REQUIRED", "PAST_DATE", "TOO_LONG"]);
    expect(refusalOf({ held_at: "" }, now)?.details).toEqual([{ field: "held_at", reason: "REQUIRED" }]);
    expect(refusalOf({ title: "𠮷".repeat(100), held_at: "2025-09-01T12:00:00+09:00" }, now)).toBeNull();
  });

  test("after somebody else's change one's own words stay, and theirs fill the rest", () => {
    const theirs = { ...base, title: "臨時理事会", held_at: "2025-09-11T18:00:00+09:00", sequence: 2 };
    expect(merged({ ...fields, title: "わたしの題" }, base, theirs)).toEqual({ title: "わたしの題", date: "2025-09-11", time: "18:00", body: "" });
    expect(theirChanges({ ...fields, title: "わたしの題" }, base, theirs)).toEqual([
      "タイトル：理事会 → 臨時理事会（この画面では、ご自分の入力を残しています）",
      "開催日時：2025/09/10 19:00 → 2025/09/11 18:00",
    ]);
    expect(theirChanges(fields, base, { ...base, body: "持ち物あり", sequence: 2 })).toEqual(["本文が変わりました"]);
  });
});
