// @vitest-environment happy-dom
// A whole application made of the kit alone: what a second phone application needs is here, without any LINE code.
import { type JSX, render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiClient } from "./client";
import { BackLink } from "./back-link";
import { ErrorBoundary } from "./error-boundary";
import { ErrorScreen } from "./error-screen";
import { useLoad } from "./load";
import { Loading } from "./loading";
import { NotFound } from "./not-found";
import { Link, type Params, type Route, Router } from "./router";
import { Rows } from "./rows";
import { Screen } from "./screen";

const fetched = vi.fn<typeof fetch>();
const client = new ApiClient(fetched);

function Slots(): JSX.Element {
  const [state, reload] = useLoad(() => client.get("/api/liff/events"));
  if (state.kind === "loading") return <Loading />;
  if (state.kind === "failed") return <ErrorScreen error={state.error} retry={reload} />;
  const rows = state.value.items.map(({ id, title, held_at }) => {
    return { key: String(id), link: `/slots/${id}`, title, date: held_at, badge: { label: "受付中", tone: "waiting" as const } };
  });
  return (
    <Screen title="予約の一覧">
      <Rows rows={rows} label="予約" />
    </Screen>
  );
}

function Slot({ params }: { params: Params }): JSX.Element {
  if (params["id"] === "broken") throw new Error("drawn wrongly");
  return (
    <Screen title={`予約 ${params["id"]}`} back={<BackLink to="/">一覧へ</BackLink>}>
      <p>くわしい内容</p>
    </Screen>
  );
}

const ROUTES: Route[] = [
  { path: "/", screen: Slots },
  { path: "/slots/:id", screen: Slot },
];

const Missing = () => (
  <NotFound>
    <Link to="/">一覧を見る</Link>
  </NotFound>
);

let root: HTMLElement;
beforeEach(() => {
  root = document.createElement("div");
  document.body.replaceChildren(root);
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => act(() => render(null, root)));

async function open(path: string): Promise<void> {
  history.replaceState(null, "", path);
  const application = (
    <ErrorBoundary fallback={(error) => <ErrorScreen error={error} />}>
      <Router routes={ROUTES} notFound={Missing} />
    </ErrorBoundary>
  );
  await act(async () => render(application, root));
}

const settled = () => act(() => new Promise<void>((done) => setTimeout(done, 0)));
const heading = () => root.querySelector("h1")?.textContent;

describe("an application made of the kit", () => {
  test("waits, shows the list and opens a row", async () => {
    let answer: (response: Response) => void = () => {};
    fetched.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    await open("/phone/");
    expect(heading()).toBe("読み込んでいます");
    answer(Response.json({ items: [{ id: 7, title: "初診", held_at: "2025-09-10T19:00:00+09:00" }] }));
    await settled();
    expect(heading()).toBe("予約の一覧");
    expect(root.querySelector("li")?.textContent).toBe("初診2025年9月10日（水）19:00受付中");
    await act(async () => root.querySelector<HTMLAnchorElement>(".row")?.click());
    expect(location.pathname).toBe("/phone/slots/7");
    expect(heading()).toBe("予約 7");
    expect(fetched.mock.calls[0]?.[1]?.headers).toEqual({ accept: "application/json" });
  });

  test("says that it was not reached, and tries again", async () => {
    fetched.mockRejectedValueOnce(new TypeError("no network")).mockResolvedValueOnce(Response.json({ items: [] }));
    await open("/phone/");
    await settled();
    expect(heading()).toBe("つながりませんでした");
    await act(async () => root.querySelector("button")?.click());
    await settled();
    expect(heading()).toBe("予約の一覧");
  });

  test("says what the server refused, with the number to tell the office", async () => {
    const refusal = { code: "CLOSED", message: "受付は終わりました。", details: [] };
    fetched.mockResolvedValueOnce(Response.json(refusal, { status: 409, headers: { "x-request-id": "request-1" } }));
    await open("/phone/");
    await settled();
    expect(root.querySelector('[role="alert"]')?.textContent).toBe("受付は終わりました。");
    expect(root.textContent).toContain("request-1");
  });

  test("has words for a screen that breaks and for an address that nobody knows", async () => {
    await open("/phone/slots/broken");
    expect(heading()).toBe("うまくいきませんでした");
    await act(() => render(null, root));
    await open("/phone/nowhere");
    expect(heading()).toBe("ページが見つかりません");
  });
});
