import { expect, test } from "vitest";
import { eventNewSearch } from "./search";

test.each([
  [{}, {}],
  [{ step: 3 }, { step: 3 }],
  [{ step: 1 }, {}],
  [{ step: 9 }, {}],
  [{ step: "3" }, {}],
  [{ sent: 12, step: 3 }, { sent: 12 }],
  [{ sent: -1 }, {}],
])("the address %o means %o", (given, meant) => {
  expect(eventNewSearch(given)).toEqual(meant);
});
