import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readStream, waitBefore } from "./stream";

const numberIn = (value: unknown): number | null => (value as { number?: number }).number ?? null;

describe("readStream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  class Source extends EventTarget {
    readyState = 1;
    onerror: (() => void) | null = null;
    close = vi.fn();
    fail(readyState: number) {
      this.readyState = readyState;
      this.onerror?.();
    }
  }

  function started() {
    const sources: Source[] = [];
    const listener = { names: ["answers"], parse: numberIn, received: vi.fn(), disconnected: vi.fn(), refused: vi.fn(async () => {}) };
    const stop = readStream("/live", listener, () => {
      const source = new Source();
      sources.push(source);
      return source as unknown as EventSource;
    });
    return { sources, listener, stop };
  }

  test("receives snapshots and the named events, and ignores what it cannot read", () => {
    const { sources, listener } = started();
    sources[0]?.dispatchEvent(new MessageEvent("snapshot", { data: '{"number":1}' }));
    sources[0]?.dispatchEvent(new MessageEvent("answers", { data: '{"number":2}' }));
    sources[0]?.dispatchEvent(new MessageEvent("answers", { data: '{"cut' }));
    sources[0]?.dispatchEvent(new MessageEvent("answers", { data: "{}" }));
    sources[0]?.dispatchEvent(new MessageEvent("answers", { data: "null" }));
    sources[0]?.dispatchEvent(new MessageEvent("others", { data: '{"number":3}' }));
    expect(listener.received.mock.calls).toEqual([[1], [2]]);
  });

  test("leaves a lost connection to the browser", () => {
    const { sources, listener } = started();
    sources[0]?.fail(0);
    vi.advanceTimersByTime(60_000);
    expect(listener.disconnected).toHaveBeenCalledOnce();
    expect(sources).toHaveLength(1);
  });

  test("tries again after a refusal, at growing intervals, until it is stopped", async () => {
    const { sources, listener, stop } = started();
    sources[0]?.fail(2);
    await vi.advanceTimersByTimeAsync(waitBefore(1));
    expect(listener.refused).toHaveBeenCalledOnce();
    expect(sources).toHaveLength(2);
    sources[1]?.fail(2);
    await vi.advanceTimersByTimeAsync(waitBefore(1));
    expect(sources).toHaveLength(2);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sources).toHaveLength(2);
    expect(waitBefore(20)).toBe(30_000);
  });
});
