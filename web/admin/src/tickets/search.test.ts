import { expect, test } from "vitest";
import { ticketsSearch } from "./search";

test("only what can be looked at is taken from the address", () => {
  expect(ticketsSearch({ status: "closed", shop_id: "2", other: 1 })).toEqual({ status: "closed", shop_id: 2 });
  expect(ticketsSearch({ status: "open", shop_id: -1 })).toEqual({});
  expect(ticketsSearch({ status: "lost", shop_id: "x" })).toEqual({});
});
