// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Unreachable } from "../../../api/errors";
import { navigate } from "../../../kit/router";
import { App } from "../app";
import { EVENTS } from "../events/part";
import type { MemberPart } from "../part";
import type { MemberRequest } from "../requests/request";
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
    expect(root.querySelector("section")?.textContent).toContain("過去のお願い");
    expect(root.querySelector("time")?.textContent).toBe("2099年9月10日（木）19:00");
  });

  test("asks for nothing but itself", async () => {
    const session = sessionOf({ [LIST]: { items: [] } });
    await open("/", session);
    expect(session.client.get).toHaveBeenCalledExactlyOnceWith(LIST);
    expect(root.textContent).toContain("いま、お願いはありません");
  });
});

describe("the list over several parts", () => {
  const thread: MemberRequest = {
    kind: "日程調整",
    id: 7,
    title: "役員会の日程",
    date: "2099-09-01T19:00:00+09:00",
    link: "/threads/7",
    state: { label: "回答済み", tone: "yes", unanswered: false, over: false },
  };
  const scheduling = (load: () => Promise<void>): MemberPart => ({
    name: "scheduling",
    routes: [],
    requests: () => ({ known: () => [thread], load, subscribe: () => () => {} }),
  });
  const event = { id: 7, title: "秋の総会", held_at: EVENT.held_at, my_status: "pending", my_responded_at: null, cancelled: false, over: false };

  async function openWith(parts: MemberPart[], pages: string[], answer: unknown) {
    const session = { ...sessionOf({ [LIST]: answer }), pages };
    history.replaceState(null, "", "/liff/");
    const start = { run: async () => session, adapter: null } as unknown as Start;
    await act(async () => render(<App start={start} parts={parts} />, root));
    await settled();
  }

  const rows = () => [...root.querySelectorAll(".row")].map((row) => row.textContent);
  const parts = [EVENTS, scheduling(async () => {})];

  test("puts what is unanswered first, whichever part asks, and says what each is", async () => {
    await openWith(parts, ["events", "scheduling"], { items: [event] });
    expect(heading()).toBe("あなたへのお願い");
    expect(rows()).toEqual(["イベント秋の総会2099年9月10日（木）19:00未回答", "日程調整役員会の日程2099年9月1日（火）19:00回答済み"]);
  });

  test("shows what came when one part did not answer, and says that something is missing", async () => {
    await openWith([EVENTS, scheduling(() => Promise.reject(new Unreachable()))], ["events", "scheduling"], { items: [event] });
    expect(rows()).toHaveLength(2);
    expect(root.querySelector('[role="alert"]')?.textContent).toContain("受け取れなかったお願いがあります");
  });

  test("has nothing of a part that is switched off", async () => {
    await openWith(parts, ["scheduling"], { items: [event] });
    expect(rows()).toEqual(["役員会の日程2099年9月1日（火）19:00回答済み"]);
    await act(async () => navigate("/events/7"));
    expect(heading()).toBe("ページが見つかりません");
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

  test('found("24.C9"): somebody who does not come is offered no calendar', async () => {
    const post = vi.fn(async () => ({ ok: true, current: "absent", extra_text: null, responded_at: AT }));
    await open("/events/7", sessionOf({ [ONE]: EVENT }, post));
    expect(root.textContent).toContain("予定をカレンダーに入れる");
    await press("欠席");
    expect(root.textContent).not.toContain("予定をカレンダーに入れる");
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

  test("whose day has ended is read anew, says so and leads on", async () => {
    const session = sessionOf({ [ONE]: EVENT }, vi.fn(() => Promise.reject(refusal(409, "EVENT_OVER"))));
    await open("/events/7", session);
    vi.mocked(session.client.get).mockResolvedValue({ ...EVENT, over: true, closed: true } as never);
    await press("出席");
    await settled();
    expect(button("出席")).toBeUndefined();
    expect(root.textContent).toContain("このイベントは終わりました");
    expect(root.querySelector('[role="alert"]')?.textContent).toContain("日は終わったため、回答は記録されませんでした");
    expect(root.querySelector("main a.button")?.getAttribute("href")).toBe("/liff/");
  });

  test('found("24.B5"): that is over is still answered, and says quietly that its day has passed', async () => {
    await open("/events/7", sessionOf({ [ONE]: { ...EVENT, over: true } }));
    expect(button("出席")).toBeDefined();
    expect(root.textContent).toContain("このイベントの日は終わりました。回答は、いまからでも記録できます。");
    expect(root.textContent).not.toContain("受け付けていません");
  });

  test("that has started is answered until the server says that it is over", async () => {
    await open("/events/7", sessionOf({ [ONE]: { ...EVENT, held_at: "2020-09-10T19:00:00+09:00" } }));
    expect(button("出席")).toBeDefined();
  });

  test("is asked for again when its day ends, on a page that stays open", async () => {
    vi.useFakeTimers({ now: new Date("2099-09-10T23:50:00+09:00"), toFake: ["setTimeout", "clearTimeout", "Date"] });
    const session = sessionOf({ [ONE]: EVENT });
    history.replaceState(null, "", "/liff/events/7");
    await act(async () => render(<App start={{ run: async () => session, adapter: null } as unknown as Start} />, root));
    await act(async () => void (await vi.advanceTimersByTimeAsync(100)));
    expect(button("出席")).toBeDefined();
    vi.mocked(session.client.get).mockResolvedValue({ ...EVENT, over: true, closed: true } as never);
    await act(async () => void (await vi.advanceTimersByTimeAsync(10 * 60_000)));
    expect(button("出席")).toBeDefined();
    await act(async () => void (await vi.advanceTimersByTimeAsync(10_000)));
    expect(button("出席")).toBeUndefined();
    expect(session.client.get).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
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

  test("waits for the office and goes on by itself", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const session = sessionOf({ [ONE]: refusal(403, "NOT_REGISTERED") }, vi.fn(async () => ({ ok: false, waiting: true })) as never);
    await open("/events/7", session);
    await type("山田 太郎");
    expect(heading()).toBe("事務局の確認を待っています");
    expect(root.textContent).toContain("山田 太郎");
    const answer = (state: string) => vi.mocked(session.client.get).mockImplementation((async (path: string) => (path === ONE ? EVENT : { state, full_name: "山田 太郎" })) as never);
    answer("waiting");
    await act(async () => void vi.advanceTimersByTime(10_000));
    expect(heading()).toBe("事務局の確認を待っています");
    answer("linked");
    await act(async () => void vi.advanceTimersByTime(10_000));
    await settled();
    vi.useRealTimers();
    expect(location.pathname).toBe("/liff/events/7");
    expect(root.textContent).toContain("事務局の確認が終わりました。");
  });

  test("comes back to the waiting, and to the form when the office says no", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const session = sessionOf({ "/api/liff/registration": { state: "waiting", full_name: "山田 太郎" } });
    await open("/register", session);
    await settled();
    expect(heading()).toBe("事務局の確認を待っています");
    vi.mocked(session.client.get).mockResolvedValue({ state: "none", full_name: null } as never);
    await act(async () => void vi.advanceTimersByTime(10_000));
    await settled();
    vi.useRealTimers();
    expect(root.textContent).toContain("事務局で確認できませんでした");
    expect(root.querySelector("input")).not.toBeNull();
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
