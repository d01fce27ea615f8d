// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { EVENT_ANSWERS, type EventAnswer } from "../events/answers/event-answers";
import { Outbox, type PendingAnswer } from "./outbox";

const answer = (key: string): PendingAnswer<EventAnswer> => ({ key, status: "attend", extra_text: null, at: 1 });

beforeEach(() => localStorage.clear());

describe("an outbox", () => {
  test("keeps answers over a reload, for its own person only", () => {
    expect(new Outbox(EVENT_ANSWERS, "U1", localStorage).put(7, answer("a"))).toBe(true);
    expect(new Outbox(EVENT_ANSWERS, "U1", localStorage).get(7)).toEqual(answer("a"));
    expect(new Outbox(EVENT_ANSWERS, "U1", localStorage).ids()).toEqual([7]);
    expect(new Outbox(EVENT_ANSWERS, "U2", localStorage).get(7)).toBeNull();
    expect(new Outbox(EVENT_ANSWERS, "U2", localStorage).ids()).toEqual([]);
  });

  test("removes only the answer that was meant", () => {
    const outbox = new Outbox(EVENT_ANSWERS, "U1", localStorage);
    outbox.put(7, answer("b"));
    outbox.remove(7, "a");
    expect(outbox.get(7)).toEqual(answer("b"));
    outbox.remove(7, "b");
    expect(outbox.get(7)).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  test("still works for the life of the page where nothing can be stored", () => {
    const outbox = new Outbox(EVENT_ANSWERS, "U1", null);
    expect(outbox.put(7, answer("a"))).toBe(false);
    expect(outbox.get(7)).toEqual(answer("a"));
    outbox.remove(7, "a");
    expect(outbox.get(7)).toBeNull();
  });

  test.each(["{", "null", '{"key":1}', '{"key":"a","status":"maybe","at":1}'])("takes no nonsense: %s", (text) => {
    localStorage.setItem("tsudoi:answer:U1:7", text);
    expect(new Outbox(EVENT_ANSWERS, "U1", localStorage).get(7)).toBeNull();
  });
});
