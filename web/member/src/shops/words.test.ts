import { describe, expect, test } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { digitsOf, lacking, shopErrorWords, troubleWords, wrongFields } from "./words";

const refusal = (status: number, code: string, fields: string[] = []) =>
  new ApiError(status, code, "サーバーの文", fields.map((field) => ({ field, reason: "INVALID_FORMAT" })), null, null);

describe("what is typed", () => {
  test("both the address and the number are needed, the name is not", () => {
    expect(Object.keys(lacking({ email: " ", phone_number: "", name: "" }))).toEqual(["email", "phone_number"]);
    expect(lacking({ email: "a@b.jp", phone_number: "090", name: "" })).toEqual({});
  });

  test.each([
    ["123456", "123456"],
    ["１２３ ４５６", "123456"],
    ["123-456 789", "123456"],
    ["コード", ""],
  ])("the code %s is read as %s", (typed, digits) => {
    expect(digitsOf(typed)).toBe(digits);
  });
});

describe("what went wrong", () => {
  test("a refused field is named at its field", () => {
    expect(Object.keys(wrongFields(refusal(400, "INVALID_INPUT", ["phone_number", "elsewhere"])) ?? {})).toEqual(["phone_number"]);
  });

  test("a wrong code is no wrong field of the form", () => {
    expect(wrongFields(refusal(400, "CODE_WRONG", ["code"]))).toBeNull();
    expect(wrongFields(refusal(503, "STORES_RATE_LIMITED"))).toBeNull();
  });

  test("the server's sentence is shown, and the kit's without one", () => {
    expect(troubleWords(refusal(410, "CODE_EXPIRED"))).toBe("サーバーの文");
    expect(troubleWords(new Unreachable())).not.toBe("");
  });

  test("a shop that does not exist leads to the list", () => {
    expect(shopErrorWords(refusal(404, "SHOP_NOT_FOUND")).help).toBe("list");
    expect(shopErrorWords(refusal(410, "SHOP_CLOSED")).help).toBe("list");
    expect(shopErrorWords(new Unreachable()).help).toBe("retry");
  });
});
