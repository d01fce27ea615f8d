// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { App } from "./app";
import type { Start } from "./session";
import { sessionOf } from "./session.fixture";

let root: HTMLElement;
beforeEach(() => {
  history.replaceState(null, "", "/liff/staff");
  root = document.createElement("div");
  document.body.replaceChildren(root);
});
afterEach(() => act(() => render(null, root)));

async function open(hasStaffPortal: boolean, openSession: () => Promise<void>) {
  const session = { ...sessionOf({}), hasStaffPortal };
  Object.assign(session.client, { openSession });
  const start = { run: async () => session, adapter: null } as unknown as Start;
  await act(async () => render(<App start={start} />, root));
  for (let round = 0; round < 3; round++) await act(() => new Promise<void>((done) => setTimeout(done, 0)));
}

test("LINE's session begins before the portal opens", async () => {
  const left = vi.spyOn(location, "replace").mockImplementation(() => {});
  const openSession = vi.fn(async () => expect(left).not.toHaveBeenCalled());
  await open(true, openSession);
  expect(openSession).toHaveBeenCalledOnce();
  expect(left).toHaveBeenCalledExactlyOnceWith("/staff/profile");
});

test("without a portal there is no such page", async () => {
  await open(false, async () => {});
  expect(root.querySelector("h1")?.textContent).toBe("ページが見つかりません");
});
