import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { followSubject, type LiveHandlers } from "./connection";
import type { StreamListener } from "./stream";

describe("followSubject", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function started(update: LiveHandlers<number>["update"] = () => {}) {
    const streams: StreamListener<number>[] = [];
    const close = vi.fn();
    const phases: string[] = [];
    const handlers = { names: ["update"], parse: () => 1, update: vi.fn(update), reload: vi.fn(async () => {}), lost: vi.fn(), stopped: vi.fn() };
    const stop = followSubject<number>("/api/admin/threads/1/live", handlers, (phase) => phases.push(phase), (_path, listener) => {
      streams.push(listener);
      return close;
    });
    return { stream: streams[0] as StreamListener<number>, handlers, phases, stop, close };
  }

  test("is live with the first message", () => {
    const { stream, handlers, phases } = started();
    stream.received(7);
    vi.advanceTimersByTime(60_000);
    expect(phases).toEqual(["live"]);
    expect(handlers.update.mock.calls[0]?.[0]).toBe(7);
    expect(handlers.reload).not.toHaveBeenCalled();
  });

  test("a reconnect within a few seconds is not shown", () => {
    const { stream, handlers, phases } = started();
    stream.received(1);
    stream.disconnected();
    vi.advanceTimersByTime(3_000);
    stream.received(2);
    vi.advanceTimersByTime(60_000);
    expect(phases).toEqual(["live", "live"]);
    expect(handlers.lost).not.toHaveBeenCalled();
  });

  test("a lost or silent stream is shown, and the page loads its data again until the stream is back", () => {
    const { stream, handlers, phases } = started();
    vi.advanceTimersByTime(10_000);
    expect(phases).toEqual(["lost"]);
    expect(handlers.lost).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60_000);
    expect(handlers.reload).toHaveBeenCalledTimes(2);
    stream.received(1);
    vi.advanceTimersByTime(60_000);
    expect(phases).toEqual(["lost", "live"]);
    expect(handlers.reload).toHaveBeenCalledTimes(2);
  });

  test("many requests for a reload are few reloads", () => {
    const { stream, handlers } = started((_number, requestReload) => requestReload());
    for (let number = 0; number < 10; number += 1) stream.received(number);
    expect(handlers.reload).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(handlers.reload).toHaveBeenCalledTimes(2);
  });

  test("nothing happens after the end", () => {
    const { handlers, phases, stop, close } = started();
    stop();
    vi.advanceTimersByTime(120_000);
    expect(close).toHaveBeenCalledOnce();
    expect(handlers.stopped).toHaveBeenCalledOnce();
    expect(phases).toEqual([]);
    expect(handlers.reload).not.toHaveBeenCalled();
  });
});
