import { expect, test } from "vitest";
import { ApiError } from "../../../api/errors";
import { bodyOf, linkErrors, refusedLink, takenField } from "./draft";
import { customersSearch } from "./search";

const LINE_USER = `U${"0123456789abcdef".repeat(2)}`;
const DRAFT = { shop_id: "1", line_user_id: LINE_USER, stores_customer_id: "123", reason: "来店時に本人を確認" };

test("the address keeps what is understood and drops the rest", () => {
  expect(customersSearch({ q: 123, shop_id: "2", page: 1 })).toEqual({ q: "123", shop_id: 2 });
  expect([customersSearch({ shop_id: "x" }), customersSearch({ shop_id: -1 }), customersSearch({ shop_id: 1.5 })]).toEqual([{}, {}, {}]);
});

test("a link by hand needs a shop, both ids and a reason", () => {
  expect(linkErrors(DRAFT)).toEqual({});
  expect(Object.keys(linkErrors({ shop_id: "", line_user_id: "taro", stores_customer_id: "0", reason: " " }))).toEqual(["shop_id", "line_user_id", "stores_customer_id", "reason"]);
  expect(bodyOf({ ...DRAFT, stores_customer_id: "１２３ ", line_user_id: ` ${LINE_USER}\n` })).toEqual({ ...DRAFT, shop_id: 1 });
});

test("a conflict names the id that is linked otherwise", () => {
  const conflict = (field: string) => new ApiError(409, "LINK_CONFLICT", "すでに連携しています。", [{ field, reason: "TAKEN" }], null, null);
  expect([takenField(conflict("line_user_id")), takenField(conflict("stores_customer_id")), takenField(new Error("x"))]).toEqual(["line_user_id", "stores_customer_id", null]);
  expect(refusedLink(conflict("line_user_id"))).toEqual({});
  expect(Object.keys(refusedLink(new ApiError(400, "BAD_REQUEST", "…", [{ field: "reason", reason: "CONTROL_CHARACTER" }], null, null)))).toEqual(["reason"]);
});
