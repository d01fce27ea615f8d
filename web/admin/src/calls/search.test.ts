import { expect, test } from "vitest";
import { callsSearch, isNarrowed, narrowed } from "./search";

test("only what can be looked for is taken from the address", () => {
  expect(callsSearch({ request: " abc ", shop_id: "2", system: "stores", status: "failed", call: 7, other: 1 })).toEqual({ request: "abc", shop_id: 2, system: "stores", status: "failed", call: 7 });
  expect(callsSearch({ request: {}, shop_id: "-1", system: "fax", status: "maybe", call: "x" })).toEqual({});
});

test("an empty value takes a condition away, and the open call with it", () => {
  expect(narrowed({ system: "stores", status: "ok", call: 7 }, "status", "")).toEqual({ system: "stores" });
  expect(isNarrowed({ call: 7 })).toBe(false);
  expect(callsSearch({ request: 12 })).toEqual({ request: "12" });
});
