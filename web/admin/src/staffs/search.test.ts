import { expect, test } from "vitest";
import { narrowed, staffsSearch } from "./search";

test("the address keeps what is understood and drops the rest", () => {
  expect(staffsSearch({ q: 446752, departmentId: "3A", status: "left", state: "x", other: 1 })).toEqual({ q: "446752", departmentId: "3A", status: "left" });
  expect(staffsSearch({ q: "  ", state: "locked" })).toEqual({ state: "locked" });
});

test("an empty value takes a condition away", () => {
  expect(narrowed({ q: "山田", state: "locked" }, "state", "")).toEqual({ q: "山田" });
  expect(narrowed({ q: "山田" }, "status", "left")).toEqual({ q: "山田", status: "left" });
});
