import { describe, expect, test } from "vitest";
import { memoFor, showsMemo } from "./memo";

const off = { enabled: false, label: "備考", attend_only: false };
const forAll = { enabled: true, label: "備考", attend_only: false };
const forThoseWhoCome = { enabled: true, label: "備考", attend_only: true };

describe("the memo field", () => {
  test("is never there when the event has none", () => {
    expect(showsMemo(off, "attend")).toBe(false);
    expect(memoFor(off, "attend", "遅れます")).toBeNull();
  });

  test("is there for everybody, also before answering, when it is for all", () => {
    expect(["pending", "attend", "absent"].map((status) => showsMemo(forAll, status as "pending"))).toEqual([true, true, true]);
    expect(memoFor(forAll, "absent", "出張です")).toBe("出張です");
  });

  test("appears with 出席 only when it is for those who come", () => {
    expect(["pending", "attend", "absent"].map((status) => showsMemo(forThoseWhoCome, status as "pending"))).toEqual([false, true, false]);
    expect(memoFor(forThoseWhoCome, "absent", "遅れます")).toBeNull();
    expect(memoFor(forThoseWhoCome, "attend", "遅れます")).toBe("遅れます");
  });

  test("says nothing when only spaces were typed", () => {
    expect(memoFor(forAll, "attend", " 　 ")).toBeNull();
  });
});
