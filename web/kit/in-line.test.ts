import { expect, test } from "vitest";
import { isInLine, rememberLine } from "./in-line";

const CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36";

function page(userAgent: string): Window {
  const kept = new Map<string, string>();
  const sessionStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) };
  return { navigator: { userAgent }, sessionStorage } as unknown as Window;
}

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Safari Line/14.9.0 LIFF", true],
  ["Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 Line/14.9.0/IAB", true],
  [CHROME, false],
  ["Mozilla/5.0 Offline/1 Safari", false],
])("%s: %s", (userAgent, inside) => {
  expect(isInLine(page(userAgent))).toBe(inside);
});

test("a tab that LINE has opened stays one", () => {
  const opened = page(CHROME);
  rememberLine(opened);
  expect(isInLine(opened)).toBe(true);
});

test("a browser without storage is judged by its name", () => {
  const strict = { navigator: { userAgent: CHROME }, get sessionStorage(): Storage { throw new Error("refused"); } } as unknown as Window;
  rememberLine(strict);
  expect(isInLine(strict)).toBe(false);
});
