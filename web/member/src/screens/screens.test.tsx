// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Unreachable } from "../../../api/errors";
import { App } from "../app";
import type { Start } from "../session";
import { EVENT, refusal, sessionOf } from "../session.fixture";

const LIST = "/api/liff/events";
const ONE = "/api/liff/events/{event_id}";
const AT = "2025-09-01T12:00:00+09:00";
let root: HTMLElement;

afterEach(() => act(() => render(null, root)));
beforeEach(() => {
  localStorage.clear();
  root = document.createElement("div");
  document.body.replaceChildren(root);
});

async function open(path: string, session: ReturnType<typeof sessionOf>) {
  history.replaceState(null, "", `/liff${path}`);
  const start = { run: async () => session, adapter: null } as unknown as Start;
  await act(async () => render(<App start={start} />, root));
  await settled();
}

/** Lets answers come in and effects run. */
async function settled() {
  for (let round = 0; round < 3; round++) await act(() => new Promise<void>((done) => setTimeout(done, 0)));
}

const heading = () => root.querySelector("h1")?.textContent;
const button = (name: string) => [...root.querySelectorAll("button")].find((found) => found.textContent?.trim() === name);
const press = (name: string) => act(async () => button(name)?.click());

describe("the list", () => {
  const row = { id: 7, title: "秋の総会", held_at: EVENT.held_at, my_status: "pending", my_responded_at: null, cancelled: false, over: false };

  test("counts what waits and keeps the past apart", async () => {
    const rows = [row, { ...row, id: 8, my_status: "attend" }, { ...row, id: 9, cancelled: true }, { ...row, id: 10, over: true }];
    await open("/events", sessionOf({ [LIST]: { items: rows } }));
    expect(root.querySelector(".lead")?.textContent).toBe("まだ回答していないものが1件あります。");
    expect([...root.querySelectorAll(".badge")].map((badge) => badge.textContent)).toEqual(["未回答", "出席", "中止", "未回答"]);
    expect(root.querySelector("section")?.textContent).toContain("過去のイベント");
    expect(root.querySelector("time")?.textContent).toBe("2099/09/10(木) 19:00");
  });

  test("asks for nothing but itself", async () => {
    const session = sessionOf({ [LIST]: { items: [] } });
    await open("/", session);
    expect(session.client.get).toHaveBeenCalledExactlyOnceWith(LIST);
    expect(root.textContent).toContain("いま、ご案内はありません");
  });
});

describe("an event", () => {
  test("is answered with one tap, and says what is recorded", async () => {
    const post = vi.fn(async () => ({ ok: true, current: "attend", extra_text: null, responded_at: AT }));
    await open("/events/7", sessionOf({ [ONE]: EVENT }, post));
    expect(root.querySelector("#memo")).toBeNull();
    await press("出席");
    expect(root.querySelector(".standing")?.textContent).toBe("出席で回答済み 2025/09/01 12:00");
    expect(button("出席")?.getAttribute("aria-pressed")).toBe("true");
    expect(root.querySelector("#memo")).not.toBeNull();
    await press("出席");
    expect(post).toHaveBeenCalledOnce();
  });

  test("tells the truth while the network is gone", async () => {
    await open("/events/7", sessionOf({ [ONE]: EVENT }, vi.fn(() => Promise.reject(new Unreachable()))));
    await press("欠席");
    expect(root.querySelector(".standing")?.textContent).toBe("まだ送れていません。電波の良い所で自動的に送り直します。");
    expect(root.textContent).toContain("いま記録されている回答：なし");
    expect(button("欠席")?.getAttribute("aria-pressed")).toBe("false");
  });

  test("that was cancelled says why and offers nothing to press", async () => {
    await open("/events/7", sessionOf({ [ONE]: { ...EVENT, cancelled: true, cancel_reason: "台風のため", my_status: "attend", my_responded_at: AT } }));
    expect(root.textContent).toContain("中止になりました");
    expect(root.textContent).toContain("台風のため");
    expect(root.textContent).toContain("出席で回答済み 2025/09/01 12:00");
    expect(button("出席")).toBeUndefined();
  });

  test("that turns out to be cancelled is read anew", async () => {
    const session = sessionOf({ [ONE]: EVENT }, vi.fn(() => Promise.reject(refusal(409, "EVENT_CANCELLED"))));
    await open("/events/7", session);
    vi.mocked(session.client.get).mockResolvedValue({ ...EVENT, cancelled: true } as never);
    await press("出席");
    await settled();
    expect(button("出席")).toBeUndefined();
    expect(root.querySelector('[role="alert"]')?.textContent).toContain("中止になったため、回答は記録されませんでした");
  });

  test("says nothing of a deadline, and leaves it to the server to refuse", async () => {
    const late = { ...EVENT, deadline_at: "2020-01-01T00:00:00+09:00" };
    await open("/events/7", sessionOf({ [ONE]: late }, vi.fn(() => Promise.reject(refusal(409, "DEADLINE_PASSED")))));
    expect(root.textContent).not.toContain("期限");
    await press("出席");
    await settled();
    expect(root.querySelector(".standing")?.textContent).toContain("回答期限を過ぎたため、回答は記録されませんでした");
    expect(button("出席")?.getAttribute("aria-pressed")).toBe("false");
    expect(root.textContent).toContain("いま記録されている回答：なし");
  });

  test.each([
    [refusal(403, "NOT_INVITED"), "ご案内の対象ではありません"],
    [refusal(404, "NOT_FOUND"), "イベントが見つかりません"],
    [refusal(503, "UNAVAILABLE"), "うまくいきませんでした"],
    [new Unreachable(), "つながりませんでした"],
  ])("%s is explained", async (error, title) => {
    await open("/events/7", sessionOf({ [ONE]: error }));
    expect(heading()).toBe(title);
  });

  test("with a mistyped number is not asked for", async () => {
    const session = sessionOf({});
    await open("/events/abc", session);
    expect(heading()).toBe("イベントが見つかりません");
    expect(session.client.get).not.toHaveBeenCalled();
  });
});

describe("somebody whom the roster does not know", () => {
  async function type(name: string) {
    const field = root.querySelector("input");
    await act(async () => {
      if (field) field.value = name;
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await press("登録する");
    await settled();
  }

  test("registers and comes back to where they were going", async () => {
    const post = vi.fn(async () => ({ ok: true }));
    const session = sessionOf({ [ONE]: refusal(403, "NOT_REGISTERED") }, post as never);
    await open("/events/7", session);
    expect(location.pathname).toBe("/liff/register");
    vi.mocked(session.client.get).mockResolvedValue(EVENT as never);
    await type(" 山田 太郎 ");
    expect(post).toHaveBeenCalledExactlyOnceWith("/api/liff/register", { full_name: "山田 太郎" });
    expect(location.pathname).toBe("/liff/events/7");
    expect(root.textContent).toContain("お名前の登録ができました。");
  });

  test.each([
    ["", refusal(500, "never asked"), "お名前を入れてください"],
    ["山田", refusal(404, "NO_MATCH"), "名簿に同じお名前が見つかりませんでした"],
    ["山田", refusal(429, "RATE_LIMITED"), "しばらくたってから"],
    ["山田", refusal(400, "INVALID_INPUT"), "使えない文字"],
    ["山田", new Unreachable(), "電波のよい場所で"],
  ])("%s: %s is explained at the field", async (name, error, words) => {
    await open("/register", sessionOf({}, vi.fn(() => Promise.reject(error))));
    await type(name);
    expect(root.querySelector('[role="alert"]')?.textContent).toContain(words);
    expect(root.querySelector("input")?.getAttribute("aria-invalid")).toBe("true");
  });
});
