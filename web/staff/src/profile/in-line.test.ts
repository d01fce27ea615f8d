import { expect, test } from "vitest";
import { isInLine } from "./in-line";

const page = (userAgent: string, framed = false) => {
  const made = { navigator: { userAgent } } as unknown as Window;
  return Object.assign(made, { parent: framed ? {} : made });
};

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Safari Line/14.9.0 LIFF", true],
  ["Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 Line/14.9.0/IAB", true],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36", false],
  ["Mozilla/5.0 Offline/1 Safari", false],
])("%s: %s", (userAgent, inside) => {
  expect(isInLine(page(userAgent))).toBe(inside);
});

test("a phone of the demo is a frame", () => {
  expect(isInLine(page("Mozilla/5.0", true))).toBe(true);
});
