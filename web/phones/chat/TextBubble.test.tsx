// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { expect, it, vi } from "vitest";
import { PhoneActionsContext } from "../phone/phone-actions";
import { TextBubble } from "./TextBubble";

const openLink = vi.fn();

async function show(text: string): Promise<HTMLElement> {
  const place = document.createElement("div");
  const actions = { openLink, act: () => {}, showImage: () => {} };
  await act(() =>
    render(
      <PhoneActionsContext.Provider value={actions}>
        <TextBubble text={text} />
      </PhoneActionsContext.Provider>,
      place,
    ),
  );
  return place;
}

it("opens a tapped link inside the phone", async () => {
  const place = await show("https://example.jp/ をどうぞ");
  await act(() => place.querySelector("a")?.click());
  expect(openLink).toHaveBeenCalledExactlyOnceWith("https://example.jp/");
});

it("shows markup in a message as the text that it is", async () => {
  const place = await show("<img src=x onerror=alert(1)>");
  expect(place.querySelector("img")).toBeNull();
  expect(place.textContent).toBe("<img src=x onerror=alert(1)>");
});
