import { expect, it } from "vitest";
import { webhookTrouble } from "./webhook-answer";

it("is silent when the product took the event", () => {
  expect(webhookTrouble({ status: 200, error: null })).toBeNull();
  expect(webhookTrouble(undefined)).toBeNull();
});

it("names the status that the product answered", () => {
  expect(webhookTrouble({ status: 503, error: "error_status_code" })).toBe("本体が受け取れませんでした（HTTP 503）。");
});

it("says why no answer came, where that is known", () => {
  expect(webhookTrouble({ status: null })).toBe("本体から返事がありませんでした。");
  expect(webhookTrouble({ status: null, error: "request_timeout" })).toContain("2秒以内");
  expect(webhookTrouble({ status: null, error: "could_not_connect" })).toContain("つながりませんでした");
});
