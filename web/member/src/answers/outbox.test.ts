// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { newKey, Outbox, type Pending } from "./outbox";

const answer = (key: string): Pending => ({ key, status: "attend", extra_text: null, at: 1 });

beforeEach(() => localStorage.clear());

describe("an outbox", () => {
  test("keeps answers over a reload, for its own person only", () => {
    expect(new Outbox("U1", localStorage).put(7, answer("a"))).toBe(true);
    expect(new Outbox("U1", localStorage).get(7)).toEqual(answer("a"));
    expect(new Outbox("U1", localStorage).eventIds()).toEqual([7]);
    expect(new Outbox("U2", localStorage).get(7)).toBeNull();
    expect(new Outbox("U2", localStorage).eventIds()).toEqual([]);
  });

  test("removes only the answer that was meant", () => {
    const outbox = new Outbox("U1", localStorage);
    outbox.put(7, answer("b"));
    outbox.remove(7, "a");
    expect(outbox.get(7)).toEqual(answer("b"));
    outbox.remove(7, "b");
    expect(outbox.get(7)).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  test("still works for the life of the page where nothing can be stored", () => {
    const outbox = new Outbox("U1", null);
    expect(outbox.put(7, answer("a"))).toBe(false);
    expect(outbox.get(7)).toEqual(answer("a"));
    outbox.remove(7, "a");
    expect(outbox.get(7)).toBeNull();
  });

  test.each(["{", "null", '{"key":1}', '{"key":"a","status":"maybe","at":1}'])("takes no nonsense: %s", (text) => {
    localStorage.setItem("tsudoi:answer:U1:7", text);
    expect(new Outbox("U1", localStorage).get(7)).toBeNull();
  });
});

test("keys are 128 random bits", () => {
  expect(newKey()).toMatch(/^[0-9a-f]{32}$/);
  expect(newKey()).not.toBe(newKey());
});
