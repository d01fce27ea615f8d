// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useSingleFlight } from "./single-flight";

const action = vi.fn(async () => {});

function Button() {
  const [, once] = useSingleFlight();
  return <button type="button" onClick={() => void once(action)} />;
}

let place: HTMLElement;
const click = () => act(async () => place.querySelector("button")?.click());
const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

beforeEach(async () => {
  vi.useFakeTimers();
  action.mockClear();
  place = document.createElement("div");
  await act(() => render(<Button />, place));
});

afterEach(() => {
  render(null, place);
  vi.useRealTimers();
});

it("drops the second click of a double click, even when the first is already done", async () => {
  await click();
  await click();
  expect(action).toHaveBeenCalledTimes(1);
});

it("acts again after a moment", async () => {
  await click();
  await wait(600);
  await click();
  expect(action).toHaveBeenCalledTimes(2);
});

it("waits for an action that takes long", async () => {
  action.mockImplementationOnce(() => new Promise(() => {}));
  await click();
  await wait(5_000);
  await click();
  expect(action).toHaveBeenCalledTimes(1);
});
