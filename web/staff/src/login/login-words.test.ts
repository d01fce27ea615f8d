import { expect, test } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { loginTrouble, missingInput } from "./login-words";

const refusal = (status: number, code: string, message = "サーバーの言葉") => new ApiError(status, code, message, [], null, null);

test.each([
  [refusal(401, "WRONG_PIN"), "違います"],
  [refusal(423, "PIN_LOCKED"), "時間がたっても解除されません"],
  [refusal(429, "RATE_LIMITED"), "少し待ってから"],
  [refusal(503, "UNAVAILABLE"), "少し待ってから"],
  [refusal(403, "STAFF_NOT_ACTIVE"), "サーバーの言葉"],
  [refusal(400, "INVALID_INPUT"), "数字4桁"],
  [new Unreachable(), "通信を確かめて"],
])("%s is explained", (error, words) => {
  expect(loginTrouble(error).text).toContain(words);
});

test("a locked account says who unlocks it, and where", () => {
  expect(loginTrouble(refusal(423, "PIN_LOCKED")).more).toMatch(/担当者.*管理画面の「職員」/);
});

test("nobody is asked before both are there", () => {
  expect(missingInput("", "7391")?.field).toBe("staffId");
  expect(missingInput("1001", "739")?.field).toBe("pin");
  expect(missingInput("1001", "7391")).toBeNull();
});
