import { expect, test } from "vitest";
import { ApiError } from "../../../api/errors";
import { draftChanges, draftErrors, draftOf, refusedFields } from "./draft";

const SHOP = { ...draftOf(), name: "名古屋栄店", code: "ngy1", phone: "052-123-4567" };

test("a shop needs a name and a code, and the rest only where it is filled in", () => {
  expect(Object.keys(draftErrors(draftOf()))).toEqual(["name", "code"]);
  expect(draftErrors(SHOP)).toEqual({});
  const wrong = { ...SHOP, code: "Sakae 1", shop_email: "sakae", phone: "電話", stores_public_url: "http://coubic.com/a", merchant_canonical_id: "a b" };
  expect(Object.keys(draftErrors(wrong))).toEqual(["code", "shop_email", "phone", "stores_public_url", "merchant_canonical_id"]);
  expect(draftErrors({ ...SHOP, name: "店".repeat(61) })["name"]).toContain("60文字まで");
});

test("full-width letters are what was meant", () => {
  expect(draftErrors({ ...SHOP, code: "ｎｇｙ１", phone: "０５２－１２３－４５６７" })).toEqual({});
  expect(draftChanges(SHOP, { ...SHOP, code: " ｎｇｙ２ " })).toEqual({ code: "ngy2" });
});

test("only what differs is sent, and null for what was emptied", () => {
  expect(draftChanges(SHOP, SHOP)).toEqual({});
  expect(draftChanges(SHOP, { ...SHOP, phone: " ", shop_status: "closed" })).toEqual({ phone: null, shop_status: "closed" });
});

test("a refusal says what to do at the field", () => {
  const refusal = new ApiError(409, "SHOP_TAKEN", "使われています。", [{ field: "code", reason: "TAKEN" }], null, null);
  expect(refusedFields(refusal)["code"]).toContain("別の店舗が使っています");
  const format = new ApiError(400, "BAD_REQUEST", "…", [{ field: "phone", reason: "INVALID_FORMAT" }], null, null);
  expect(refusedFields(format)["phone"]).toContain("052-123-4567");
  expect(refusedFields(new Error("x"))).toEqual({});
});
