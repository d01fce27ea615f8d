// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sandbox } from "../client/sandbox";
import { Composer } from "./Composer";

let place: HTMLElement;
const setTrouble = vi.fn();

function field(): HTMLTextAreaElement {
  return place.querySelector("textarea") as HTMLTextAreaElement;
}

async function type(text: string): Promise<void> {
  await act(() => {
    field().value = text;
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}

async function press(init: KeyboardEventInit): Promise<void> {
  await act(async () => {
    field().dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
  });
}

beforeEach(async () => {
  place = document.body.appendChild(document.createElement("div"));
  vi.spyOn(sandbox, "chat").mockResolvedValue([]);
  vi.spyOn(sandbox, "say").mockResolvedValue({ webhook: { status: 200 } });
  setTrouble.mockReset();
  await act(() => render(<Composer userId="U1" setTrouble={setTrouble} />, place));
});

afterEach(() => {
  render(null, place);
  place.remove();
});

it("sends with Enter, once, however often it is pressed", async () => {
  await type(" こんにちは ");
  await act(async () => {
    for (let n = 0; n < 2; n += 1) field().dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  expect(sandbox.say).toHaveBeenCalledExactlyOnceWith("U1", "こんにちは");
  expect(field().value).toBe("");
});

it("leaves Enter to the kana conversion and Shift+Enter to the line break", async () => {
  await type("かな");
  await press({ key: "Enter", isComposing: true });
  await press({ key: "Enter", shiftKey: true });
  expect(sandbox.say).not.toHaveBeenCalled();
});

it("sends nothing but blanks", async () => {
  await type(" \n ");
  await press({ key: "Enter" });
  expect(sandbox.say).not.toHaveBeenCalled();
});

it("gives the text back when it could not be sent", async () => {
  vi.mocked(sandbox.say).mockRejectedValue(new Error("gone"));
  await type("もう一度");
  await press({ key: "Enter" });
  expect(field().value).toBe("もう一度");
  expect(setTrouble).toHaveBeenCalledWith(expect.stringContaining("うまくいきませんでした"));
});

it("says what the product answered when it did not take the message", async () => {
  vi.mocked(sandbox.say).mockResolvedValue({ webhook: { status: 503 } });
  await type("はい");
  await press({ key: "Enter" });
  expect(setTrouble).toHaveBeenCalledWith(expect.stringContaining("503"));
});
