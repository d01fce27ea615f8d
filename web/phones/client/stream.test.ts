import { describe, expect, it } from "vitest";
import { readEvent, waitBefore } from "./stream";

describe("readEvent", () => {
  it("takes the type from the data", () => {
    expect(readEvent("message", '{"type":"reset"}')).toEqual({ type: "reset" });
  });

  it("takes the type from the event's name where the data has none", () => {
    expect(readEvent("read", '{"user_id":"U1"}')).toEqual({ type: "read", user_id: "U1" });
  });

  it("skips what is not JSON", () => {
    expect(readEvent("message", "hello")).toBeNull();
  });
});

describe("waitBefore", () => {
  it("grows up to five seconds", () => {
    expect([1, 2, 3, 4, 5, 9].map(waitBefore)).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
  });
});
