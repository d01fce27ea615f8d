import { expect, test } from "vitest";
import { isNarrowed, narrowed, noticesSearch } from "./search";

test("the address keeps what is understood and drops the rest", () => {
  expect(noticesSearch({ status: "FAILED", kind: "REMINDER", from: "2026-12-01", to: "2026-12-32", q: 4711, other: 1 })).toEqual({
    status: "FAILED",
    kind: "REMINDER",
    from: "2026-12-01",
    q: "4711",
  });
  expect(noticesSearch({ status: "DONE", kind: "CANCEL_TEMPLATE", q: "  " })).toEqual({});
});

test("an empty value takes a condition away", () => {
  expect(narrowed({ status: "SENT", q: "山田" }, "status", "")).toEqual({ q: "山田" });
  expect(narrowed({ q: "山田" }, "kind", "REMINDER")).toEqual({ q: "山田", kind: "REMINDER" });
  expect([isNarrowed({}), isNarrowed({ q: "山田" })]).toEqual([false, true]);
});
