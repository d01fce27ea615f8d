import { expect, test, vi } from "vitest";
import { atMostEvery } from "./throttle";

test("atMostEvery runs at once, then once for all who ask within the interval", () => {
  vi.useFakeTimers();
  const run = vi.fn();
  const { request, stop } = atMostEvery(1_000, run);
  for (let asked = 0; asked < 5; asked += 1) request();
  expect(run).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  request();
  stop();
  vi.advanceTimersByTime(5_000);
  expect(run).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
