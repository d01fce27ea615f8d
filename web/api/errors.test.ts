import { describe, expect, test } from "vitest";
import { apiError } from "./errors";

function response(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers });
}

describe("apiError", () => {
  test("takes over the server's code, words and details", () => {
    const details = [{ field: "title", reason: "required" }];
    const error = apiError(response(400, { "x-request-id": "r1" }), { code: "INVALID_INPUT", message: "入力が正しくありません。", details });
    expect(error).toMatchObject({ status: 400, code: "INVALID_INPUT", message: "入力が正しくありません。", details, requestId: "r1" });
  });

  test("finds its own words when a proxy answered with a page", () => {
    const error = apiError(response(502), "<html>Bad gateway</html>");
    expect(error.code).toBe("INTERNAL");
    expect(error.message).toContain("サーバーで問題が起きました");
    expect(error.details).toEqual([]);
  });

  test("reads how long to wait, and nothing from a nonsense header", () => {
    expect(apiError(response(429, { "retry-after": "572" }), {}).retryAfterSeconds).toBe(572);
    expect(apiError(response(429, { "retry-after": "later" }), {}).retryAfterSeconds).toBeNull();
    expect(apiError(response(429), {}).retryAfterSeconds).toBeNull();
  });
});
