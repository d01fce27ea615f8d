// The portal in a page of its own, for tests that press its buttons.
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, vi } from "vitest";
import { App } from "./app";
import type { fakeServer } from "./app.fixture";

export type FakeServer = ReturnType<typeof fakeServer>;
export let root: HTMLElement;

/** To be called once in a file: each of its tests has an empty page and an empty storage. */
export function eachWithAPage(): void {
  beforeEach(() => {
    localStorage.clear();
    root = document.createElement("div");
    document.body.replaceChildren(root);
  });
  afterEach(() => {
    act(() => render(null, root));
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Lets answers come in, parts load and effects run. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await act(() => vi.dynamicImportSettled());
    await act(() => new Promise<void>((done) => setTimeout(done, 0)));
  }
}

/** `notice`: what the screen before left to say. */
export async function open(server: FakeServer, path = "/", session: string | null = "own:1", notice = ""): Promise<void> {
  history.replaceState({ notice }, "", `/staff${path}`);
  if (session) localStorage.setItem("tsudoi:staff:session", session);
  await act(async () => render(<App fetch={server.fetch} />, root));
  await settled();
}

export const heading = () => root.querySelector("h1")?.textContent;
export const button = (name: string) => [...root.querySelectorAll("button")].find(({ textContent }) => textContent?.includes(name));

export async function press(name: string): Promise<void> {
  await act(async () => button(name)?.click());
  await settled();
}

export async function type(id: string, value: string): Promise<void> {
  await act(async () => {
    const field = root.querySelector<HTMLInputElement>(`#${id}`);
    if (!field) throw new Error(`there is no field ${id}`);
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

export function sent(server: FakeServer, method: string, path: string) {
  return server.asked.filter((one) => one.method === method && one.path === path);
}
