import { describe, expect, test } from "vitest";
import { loginSearch, safeNext } from "./next";

describe("safeNext", () => {
  test.each([
    ["/friends", "/friends"],
    ["/audit?actor=a#top", "/audit?actor=a#top"],
    [undefined, "/"],
    ["//evil.test", "/"],
    ["/\\evil.test", "/"],
    ["https://evil.test/", "/"],
    ["javascript:alert(1)", "/"],
    ["/login?next=/login", "/"],
  ])("%s leads to %s", (next, target) => {
    expect(safeNext(next)).toBe(target);
  });
});

describe("loginSearch", () => {
  test("keeps what it knows and drops the rest", () => {
    expect(loginSearch({ next: "/friends", out: true, evil: 1 })).toEqual({ next: "/friends", out: true });
    expect(loginSearch({ next: 3, out: "yes" })).toEqual({});
  });
});
