// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Unreachable } from "../../../../api/errors";
import { App } from "../../app";
import type { Start } from "../../session";
import { refusal, sessionOf } from "../../session.fixture";
import type { ThreadDetail } from "../shapes";
import { receiptOf, slotOf, THREAD } from "../thread.fixture";

const ONE = "/api/liff/threads/{thread_id}";
let root: HTMLElement;

// The page is loaded on demand, which takes longer than a test waits where nothing is compiled yet.
beforeAll(() => import("./thread-screen"));
afterEach(() => act(() => render(null, root)));
beforeEach(() => {
  localStorage.clear();
  root = document.createElement("div");
  document.body.replaceChildren(root);
});

async function open(answer: unknown, post = vi.fn(), path = `/threads/${THREAD.id}`) {
  const session = { ...sessionOf({ [ONE]: answer }, post), pages: ["events", "threads"] };
  history.replaceState(null, "", `/liff${path}`);
  const start = { run: async () => session, adapter: null } as unknown as Start;
  await act(async () => render(<App start={start} />, root));
  await settled();
  return session;
}

/** Lets answers come in and effects run. */
async function settled() {
  for (let round = 0; round < 3; round++) await act(() => new Promise<void>((done) => setTimeout(done, 0)));
}

const heading = () => root.querySelector("h1")?.textContent;
const button = (name: string) => [...root.querySelectorAll("button")].find((found) => found.textContent?.trim() === name);
const press = (name: string) => act(async () => button(name)?.click());
const standing = () => root.querySelector(".standing")?.textContent;
const given = () => [...root.querySelectorAll(".given .sign")].map((sign) => sign.textContent);

const choose = (slotId: string, mark: string) =>
  act(async () => root.querySelector<HTMLInputElement>(`input[name="slot-${slotId}"][value="${mark}"]`)?.click());

async function send() {
  await act(async () => root.querySelector("form")?.requestSubmit());
  await settled();
}

/** Slots without a mark are asked about first. */
async function sendWithTheRestAsNo() {
  await send();
  await press("×として送る");
  await settled();
}

const ANSWERED: ThreadDetail = {
  ...THREAD,
  slots: [slotOf("s1", "12-10", { answer: "yes" }), slotOf("s2", "12-11", { answer: "no" }), slotOf("s3", "12-12", { answer: "maybe" })],
  selection: receiptOf(["s1"], ["s3"], "遅れます").selection,
};

describe("a thread", () => {
  test("says what it is about, and asks for each slot with words for everybody", async () => {
    await open({ ...THREAD, description: "地図 https://example.jp/map" });
    expect(heading()).toBe("臨時理事会");
    expect(root.querySelector(".facts")?.textContent).toBe("主催みなと町会場所本部 3階会議室回答期限2099年12月4日（金）12:00");
    expect(root.querySelector(".body-text a")?.getAttribute("href")).toBe("https://example.jp/map");
    const first = root.querySelector("fieldset");
    expect(first?.querySelector("legend")?.textContent).toBe("2099年12月10日（木）14:00〜15:00");
    expect([...(first?.querySelectorAll("label") ?? [])].map((label) => label.textContent)).toEqual(["○参加できる", "△調整すれば", "×できない"]);
  });

  test("is answered, and shows what was stored", async () => {
    const post = vi.fn(async () => receiptOf(["s1"], ["s3"], "遅れます"));
    const session = await open(THREAD, post);
    expect(standing()).toBe("まだ選んでいません");
    await choose("s1", "yes");
    await choose("s3", "maybe");
    expect(standing()).toContain("あと1つです");
    await act(async () => {
      const field = root.querySelector("textarea");
      if (field) field.value = "遅れます";
      field?.dispatchEvent(new Event("input", { bubbles: true }));
    });
    vi.mocked(session.client.get).mockResolvedValue(ANSWERED as never);
    await sendWithTheRestAsNo();
    const sent = { selected_slot_ids: ["s1"], maybe_slot_ids: ["s3"], comment: "遅れます" };
    expect(post).toHaveBeenCalledExactlyOnceWith("respond", THREAD.id, expect.objectContaining(sent));
    expect(root.querySelector("#recorded")?.textContent).toBe("回答を受け取りました");
    expect(document.activeElement?.id).toBe("recorded");
    expect(given()).toEqual(["○", "×", "△"]);
    expect(root.textContent).toContain("2026/12/01 12:00 に受け取りました");
    expect(session.client.get).toHaveBeenCalledTimes(2);
  });

  test("is sent once by an impatient thumb", async () => {
    const post = vi.fn(() => new Promise(() => {}));
    await open(THREAD, post);
    for (const slot of ["s1", "s2", "s3"]) await choose(slot, "yes");
    const form = root.querySelector("form");
    await act(async () => {
      form?.requestSubmit();
      form?.requestSubmit();
    });
    await send();
    expect(post).toHaveBeenCalledOnce();
    expect(standing()).toBe("回答を送っています…");
  });

  test("is not sent without a choice", async () => {
    const post = vi.fn();
    await open(THREAD, post);
    await send();
    expect(post).not.toHaveBeenCalled();
    expect(root.querySelector('.dock [role="alert"]')?.textContent).toContain("どの日も参加できない");
  });

  test("can be declined as a whole", async () => {
    const post = vi.fn(async () => receiptOf([]));
    await open(THREAD, post);
    await press("どの日も参加できない");
    expect(button("どの日も参加できない")?.getAttribute("aria-pressed")).toBe("true");
    await send();
    expect(post).toHaveBeenCalledWith("respond", THREAD.id, expect.objectContaining({ selected_slot_ids: [], maybe_slot_ids: [] }));
    expect(root.textContent).toContain("どの候補日も参加できない、という回答です");
  });

  test("that was answered can be changed, or left as it is", async () => {
    const post = vi.fn(async () => ({ ...receiptOf(["s2"]), selection: { ...receiptOf(["s2"]).selection, responded_at: "2026-12-02T03:00:00.000000+00:00" } }));
    await open(ANSWERED, post);
    expect(root.querySelector("#recorded")?.textContent).toBe("回答済みです");
    await press("回答を変える");
    expect(root.querySelector<HTMLInputElement>('input[name="slot-s1"][value="yes"]')?.checked).toBe(true);
    await send();
    expect(post).not.toHaveBeenCalled();
    await press("回答を変える");
    await choose("s1", "no");
    await press("変えずに戻る");
    expect(given()).toEqual(["○", "×", "△"]);
    await press("回答を変える");
    await choose("s1", "no");
    await choose("s2", "yes");
    await choose("s3", "no");
    await send();
    expect(post).toHaveBeenCalledOnce();
    expect(given()).toEqual(["×", "○", "×"]);
  });

  test("asks for slots that were added after the answer", async () => {
    const post = vi.fn(async () => receiptOf(["s1"]));
    await open({ ...ANSWERED, slots: [...ANSWERED.slots, slotOf("new", "12-20")] }, post);
    expect(root.textContent).toContain("候補日が増えました");
    expect([...root.querySelectorAll(".slot-new")]).toHaveLength(1);
    expect(standing()).toContain("あと1つです");
    await sendWithTheRestAsNo();
    expect(post).toHaveBeenCalledOnce();
  });

  test('asks once before dates that were not seen become ×, found("24.B4")', async () => {
    const post = vi.fn(async () => receiptOf(["s1"]));
    await open(THREAD, post);
    await choose("s1", "yes");
    await send();
    await send();
    expect(post).not.toHaveBeenCalled();
    expect(root.querySelector('.dock [role="alert"]')?.textContent).toBe("まだ見ていない候補が2つあります。");
    await press("候補を見る");
    expect(document.activeElement?.getAttribute("name")).toBe("slot-s2");
    await send();
    expect(post).toHaveBeenCalledOnce();
  });

  test("offers one slot where only one may be chosen", async () => {
    const post = vi.fn(async () => receiptOf(["s2"]));
    await open({ ...THREAD, multiple_slots_allowed: false }, post);
    const options = [...root.querySelectorAll<HTMLInputElement>('input[name="slot"]')];
    expect(options).toHaveLength(4);
    await act(async () => options[0]?.click());
    await act(async () => options[1]?.click());
    await send();
    expect(post).toHaveBeenCalledWith("respond", THREAD.id, expect.objectContaining({ selected_slot_ids: ["s2"], maybe_slot_ids: [] }));
  });

  test("offers no △ where the organiser wants none, and no choice for a day that has begun", async () => {
    await open({ ...THREAD, maybe_allowed: false, slots: [slotOf("s1", "12-10", { begun: true }), slotOf("s2", "12-11", { label: "第一候補" })] });
    expect([...root.querySelectorAll("input")].map(({ value }) => value)).toEqual(["yes", "no"]);
    expect(root.textContent).toContain("この候補日は過ぎました");
    expect(root.textContent).toContain("第一候補");
  });

  test("shows what the others have said, where they may be seen", async () => {
    await open({ ...THREAD, slots: [slotOf("s1", "12-10", { yes: ["佐藤 花子", "鈴木 一郎"], maybe: ["田中 実"], no: [] }), slotOf("s2", "12-11", { yes: [], maybe: [], no: ["高橋 進"] })] });
    expect(root.querySelector("legend")?.textContent).toContain("ほかの方：○ 2人・△ 1人");
    const fold = root.querySelector("details");
    await act(async () => {
      fold?.setAttribute("open", "");
      fold?.dispatchEvent(new Event("toggle"));
    });
    expect(root.querySelector(".others")?.textContent).toContain("佐藤 花子、鈴木 一郎（2人）");
    expect(root.querySelector(".others")?.textContent).toContain("できない：高橋 進（1人）");
  });
});

describe("an answer that does not arrive", () => {
  test("is kept, and the screen says so", async () => {
    await open(THREAD, vi.fn(() => Promise.reject(new Unreachable())));
    await choose("s1", "yes");
    await sendWithTheRestAsNo();
    expect(standing()).toBe("まだ送れていません。電波の良い所で自動的に送り直します。");
    expect(button("いま送り直す")).toBeDefined();
    expect(localStorage).toHaveLength(1);
  });

  test.each([
    [410, "INVITE_EXPIRED", { can_answer: false, why_not: "EXPIRED" }, "回答の受付は終わりました"],
    [409, "THREAD_FINALIZED", { can_answer: false, why_not: "FINALIZED", status: "finalized", final_slot_id: "s2", taking_part: false }, "日程が決まりました"],
    [409, "THREAD_CANCELLED", { can_answer: false, why_not: "CANCELLED", status: "cancelled", cancel_reason: "台風のため" }, "台風のため"],
  ])("%i %s is explained by what the thread says now", async (status, code, change, words) => {
    const session = await open(THREAD, vi.fn(() => Promise.reject(refusal(status, code))));
    await choose("s1", "yes");
    vi.mocked(session.client.get).mockResolvedValue({ ...THREAD, ...change } as never);
    await sendWithTheRestAsNo();
    expect(root.textContent).toContain(words);
    expect(root.querySelector('[role="alert"]')?.textContent).toContain("記録されませんでした");
    expect(button("この内容で送る")).toBeUndefined();
    expect(root.querySelector("main a.button")?.getAttribute("href")).toBe("/liff/");
  });

  test("because a slot is gone can be sent again with those that are left", async () => {
    const post = vi.fn(() => Promise.reject(refusal(400, "UNKNOWN_SLOT")));
    const session = await open(THREAD, post);
    await choose("s1", "yes");
    vi.mocked(session.client.get).mockResolvedValue({ ...THREAD, slots: THREAD.slots.slice(1) } as never);
    await sendWithTheRestAsNo();
    expect(standing()).toContain("候補日が変わった");
    expect(root.querySelectorAll("fieldset")).toHaveLength(2);
    await choose("s2", "yes");
    expect(standing()).toContain("あと1つです");
  });
});

test('found("24.C2"): who is told to ask the organiser is given the office\'s telephone number', async () => {
  const meta = document.createElement("meta");
  meta.name = "tsudoi-config";
  meta.content = JSON.stringify({ office_phone: "052-000-0000" });
  document.head.append(meta);
  await open({ ...THREAD, can_answer: false, why_not: "EXPIRED" });
  expect(root.querySelector(".say-warn a[href^='tel:']")?.getAttribute("href")).toBe("tel:0520000000");
  meta.remove();
});

describe("a thread that is decided", () => {
  const decided = { ...ANSWERED, status: "finalized", can_answer: false, why_not: "FINALIZED", final_slot_id: "s1", taking_part: true, calendar_url: "https://a.test/i/t/calendar.ics" };

  test("says when, that I take part, and offers the calendar", async () => {
    await open(decided);
    expect(root.querySelector("#decided")?.parentElement?.textContent).toContain("2099年12月10日（木）14:00〜15:00");
    expect(root.textContent).toContain("あなたは参加の予定です");
    expect([...root.querySelectorAll(".calendar a")].map((link) => link.getAttribute("href"))[0]).toBe("https://a.test/i/t/calendar.ics?openExternalBrowser=1");
    expect(given()).toEqual(["○", "×", "△"]);
    expect(root.querySelector("form")).toBeNull();
  });

  test('takes a late answer, and shows it — found("24.B2")', async () => {
    const post = vi.fn(async () => ({ ok: true, coming: true }));
    const answers = { ...decided, taking_part: false, calendar_url: null, can_answer_late: true };
    const session = await open(answers, post);
    expect(root.textContent).toContain("参加できるときは、下でお知らせください");
    await press("参加する");
    await settled();
    expect(post).toHaveBeenCalledExactlyOnceWith(`${ONE}/late`, { coming: true, comment: null }, { thread_id: THREAD.id }, { "idempotency-key": expect.any(String) });
    expect(session.client.get).toHaveBeenCalledTimes(2);
    act(() => render(null, root));
    await open({ ...answers, late_answer: { coming: false, comment: "急用", answered_at: "2026-12-01T03:00:00.000000+00:00" } });
    expect(root.textContent).toContain("「参加しない」と回答しています");
    expect(root.textContent).toContain("ひとこと：急用");
    expect(root.querySelector(".calendar")).toBeNull();
  });

  test("says that I do not take part, without a calendar", async () => {
    await open({ ...decided, taking_part: false });
    expect(root.textContent).toContain("あなたは参加の予定に入っていません");
    expect(root.querySelector(".calendar")).toBeNull();
  });
});

test.each([
  [refusal(404, "THREAD_NOT_FOUND"), "日程調整が見つかりません"],
  [refusal(503, "UNAVAILABLE"), "うまくいきませんでした"],
  [new Unreachable(), "つながりませんでした"],
])("%s is explained", async (error, title) => {
  await open(error);
  expect(heading()).toBe(title);
});

test("a mistyped address is not asked for", async () => {
  const session = await open(THREAD, vi.fn(), "/threads/a b");
  expect(heading()).toBe("日程調整が見つかりません");
  expect(session.client.get).not.toHaveBeenCalled();
});

test("a page that stays open over the deadline asks again", async () => {
  vi.useFakeTimers({ now: new Date("2099-12-04T02:59:00Z"), toFake: ["setTimeout", "clearTimeout", "Date"] });
  const session = { ...sessionOf({ [ONE]: THREAD }), pages: ["threads"] };
  history.replaceState(null, "", `/liff/threads/${THREAD.id}`);
  await act(async () => render(<App start={{ run: async () => session, adapter: null } as unknown as Start} />, root));
  await act(async () => void (await vi.advanceTimersByTimeAsync(100)));
  expect(button("この内容で送る")).toBeDefined();
  vi.mocked(session.client.get).mockResolvedValue({ ...THREAD, can_answer: false, why_not: "EXPIRED" } as never);
  await act(async () => void (await vi.advanceTimersByTimeAsync(66_000)));
  expect(button("この内容で送る")).toBeUndefined();
  expect(root.textContent).toContain("回答の受付は終わりました");
  expect(session.client.get).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
