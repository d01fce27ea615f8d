import { expect, test } from "vitest";
import type { Parameter } from "../shops/queries";
import { othersOwn, rangeText, storedAt, valueText } from "./parameters";
import { agoText, secretName, tokenProblem } from "./secrets";

const AT = "2026-11-20T10:15:00+09:00";
const TIMEOUT: Parameter = {
  key: "api_timeout_sec",
  label: "外部APIの応答を待つ秒数",
  value_type: "int",
  lowest: 1,
  highest: 60,
  default: 10,
  per_shop: true,
  effective: { value: 5, source: "sys_params_global", why: "全店舗に共通の設定です。" },
  stored: [
    { scope: "global", shop_id: null, value: "5", updated_at: AT },
    { scope: "shop", shop_id: 2, value: "8", updated_at: AT },
    { scope: "shop", shop_id: 3, value: "9", updated_at: AT },
  ],
};

test("a value has its unit, and a shop its name", () => {
  expect([valueText("api_timeout_sec", 5), valueText("stores_breaker_failures", 5), valueText("stores_breaker_seconds", "600")]).toEqual(["5秒", "5回", "600秒"]);
  expect(valueText("stores_healthcheck_shop_id", 2, (id) => (id === 2 ? "大阪梅田店" : undefined))).toBe("大阪梅田店");
  expect([valueText("stores_healthcheck_shop_id", 9), valueText("stores_api_timeout_sec", null)]).toEqual(["番号9の店舗", "なし"]);
  expect(rangeText(TIMEOUT)).toBe("1〜60秒");
});

test("what is stored is found at its place", () => {
  expect([storedAt(TIMEOUT, "global", 1), storedAt(TIMEOUT, "shop", 1), storedAt(TIMEOUT, "shop", 2)]).toEqual(["5", null, "8"]);
  expect([othersOwn(TIMEOUT, 1), othersOwn(TIMEOUT, 2)]).toEqual([2, 1]);
});

test("a token is one word of ASCII, whatever stands around it", () => {
  expect([tokenProblem("  tok_1\n"), tokenProblem(""), tokenProblem("トークン"), tokenProblem("a b"), tokenProblem("x".repeat(501))].map((problem) => problem === null)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([secretName("STORES_API_TOKEN"), secretName("OTHER"), agoText(0), agoText(1200)]).toEqual(["接続トークン", "OTHER", "今日", "1,200日前"]);
});
