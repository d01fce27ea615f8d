// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { App } from "./app";
import { NotInLine } from "./identity/adapter";
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

const DOOR = {
  portalUrl: "https://tsudoi.example/staff/",
  liffUrl: "https://liff.line.me/1-a/staff",
  addFriendUrl: null,
  portalQr: { size: 2, path: "M0 0h1v1h-1z" },
  liffQr: { size: 2, path: "M0 0h1v1h-1z" },
};

test('found("24.C5"): a browser outside LINE says how to open it in LINE, and goes on without', async () => {
  vi.spyOn(window, "fetch").mockImplementation(async () => Response.json(DOOR));
  const start = { run: () => Promise.reject(new NotInLine()), adapter: null } as unknown as Start;
  await act(async () => render(<App start={start} />, root));
  await act(() => vi.dynamicImportSettled());
  for (let round = 0; round < 3; round++) await act(() => new Promise<void>((done) => setTimeout(done, 0)));
  expect(root.querySelector("h1")?.textContent).toBe("スマートフォンのLINEで開きます");
  expect(root.querySelector("svg[role='img']")?.getAttribute("aria-label")).toContain("QRコード");
  expect([...root.querySelectorAll("main a")].map((link) => link.getAttribute("href"))).toEqual([DOOR.liffUrl, "/staff/"]);
});

test('found("24.C5"): the start page leads staff to their reservations, before everything else', async () => {
  history.replaceState(null, "", "/liff/");
  await open(true, async () => {});
  expect(root.querySelector("main a")?.textContent).toContain("職員の予約");
  expect(root.querySelector("main a")?.getAttribute("href")).toBe("/liff/staff");
  await act(() => render(null, root));
  await open(false, async () => {});
  expect(root.textContent).not.toContain("職員の予約");
});
