// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EVENT, refusal, sessionOf } from "../session.fixture";
import { SessionProvider } from "../session";
import { RenewCalendar } from "./renew";

const NEW = "https://a.test/7.ics?key=new";
let root: HTMLElement;

afterEach(() => act(() => render(null, root)));
beforeEach(() => {
  root = document.createElement("div");
  document.body.replaceChildren(root);
});

async function open(post: Parameters<typeof sessionOf>[1]) {
  const renewed = vi.fn();
  const session = sessionOf({ "/api/liff/events/{event_id}": { ...EVENT, calendar_url: NEW } }, post);
  await act(async () =>
    render(
      <SessionProvider value={session}>
        <RenewCalendar eventId={7} renewed={renewed} />
      </SessionProvider>,
      root,
    ),
  );
  return renewed;
}

/** Also lets the answers come in. */
const press = () =>
  act(async () => {
    root.querySelector("button")?.click();
    await new Promise<void>((done) => setTimeout(done, 0));
  });

test("the first press explains, the second renews and shows the new address", async () => {
  const post = vi.fn(async () => ({ renewed_at: "2025-08-16T12:00:00+09:00" }));
  const renewed = await open(post);
  await press();
  expect(root.textContent).toContain("これまでのリンクは、どのイベントのものも使えなくなります");
  expect(post).not.toHaveBeenCalled();
  await press();
  expect(post).toHaveBeenCalledWith("/api/liff/calendar-keys/renewal", { confirm: true });
  expect(renewed).toHaveBeenCalledWith(NEW);
  expect(root.textContent).toContain("リンクを新しくしました");
});

test("a failure is said, and can be tried again", async () => {
  const post = vi.fn(async () => {
    throw refusal(503, "UNAVAILABLE");
  });
  const renewed = await open(post);
  await press();
  await press();
  expect(root.textContent).toContain("新しくできませんでした");
  expect(renewed).not.toHaveBeenCalled();
  await press();
  expect(post).toHaveBeenCalledTimes(2);
});
