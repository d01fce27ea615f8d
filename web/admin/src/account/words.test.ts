import { describe, expect, test } from "vitest";
import { ApiError } from "../../../api/errors";
import { fieldError, passwordErrors, sessionName } from "./words";

describe("the form of a new password", () => {
  test.each([
    [{ current: "", wanted: "long enough", again: "long enough" }, ["current"]],
    [{ current: "x", wanted: "too short", again: "too short" }, ["wanted"]],
    [{ current: "x", wanted: "long enough", again: "long enouhg" }, ["again"]],
    [{ current: "x", wanted: "long enough", again: "long enough" }, []],
    [{ current: "x", wanted: "long ".repeat(40), again: "long ".repeat(40) }, []],
    [{ current: "x", wanted: "long ".repeat(41), again: "long ".repeat(41) }, ["wanted"]],
    // Ten characters as people count them.
    [{ current: "x", wanted: "🎣".repeat(9), again: "🎣".repeat(9) }, ["wanted"]],
  ])("%j is wrong in %j", (draft, wrong) => {
    const errors = passwordErrors(draft);
    expect(Object.entries(errors).flatMap(([field, error]) => (error ? [field] : []))).toEqual(wrong);
  });
});

describe("fieldError", () => {
  const weak = new ApiError(400, "INVALID_INPUT", "推測されやすい", [{ field: "new_password", reason: "TOO_WEAK" }], null, null);

  test("belongs to the field that the server names", () => {
    expect(fieldError(weak, "new_password")).toBe("推測されやすい");
    expect(fieldError(weak, "current_password")).toBeNull();
    expect(fieldError(new Error("no network"), "new_password")).toBeNull();
  });
});

describe("sessionName", () => {
  test.each([
    [{ kind: "browser", label: null, device: "WindowsのChrome" }, "WindowsのChrome"],
    [{ kind: "browser", label: null, device: null }, "不明な端末"],
    [{ kind: "token", label: "会計ソフト", device: "プログラム（curl）" }, "会計ソフト"],
    [{ kind: "token", label: null, device: null }, "用途の記録がないAPIトークン"],
  ] as const)("%j is %s", (session, name) => {
    expect(sessionName(session)).toBe(name);
  });
});
