import { expect, test } from "vitest";
import { ApiError } from "../../../api/errors";
import { changedFields, serverErrors, wholeNumber } from "./forms";

test("numbers may be typed with full width, and have to be in range", () => {
  expect([wholeNumber("１２", 1, 99), wholeNumber(" 7 ", 1, 99), wholeNumber("0", 1, 99), wholeNumber("1.5", 1, 99), wholeNumber("", 0, 9)]).toEqual([12, 7, null, null, null]);
});

test("only what changed is sent", () => {
  expect(changedFields({ name: "外来", active: true }, { name: "外来", active: false })).toEqual({ active: false });
  expect(changedFields({ notes: null as string | null }, { notes: null })).toEqual({});
});

test("the server's errors stand at their fields", () => {
  const error = new ApiError(400, "INVALID_INPUT", "入力が正しくありません。", [{ field: "familyNameKana", reason: "NOT_KATAKANA" }], null, null);
  expect(serverErrors(error)).toEqual({ familyNameKana: "全角カタカナで入力してください" });
  expect(serverErrors(new Error("x"))).toEqual({});
});
