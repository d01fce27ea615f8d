// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageConfig } from "../../../api/config";
import { Router } from "../../../kit/router";
import { ReservationsScreen } from "../reservations/reservations-screen";
import { SessionProvider } from "../session";
import { refusal, sessionOf } from "../session.fixture";
import { ShopScreen } from "./shop-screen";

const SHOP = { code: "ngy1", name: "名古屋栄店", phone: "052-123-4567", email: null, stores_public_url: null };
const CANCELLED = {
  id: "1",
  title: "スタジオA",
  begins_at: "2099-11-20T18:00:00+09:00",
  ends_at: "2099-11-20T20:00:00+09:00",
  status: "canceled_by_host",
  status_label: "取り消し済み（店舗による）",
};
const COMING = { ...CANCELLED, id: "2", title: "スタジオB", status: "accepted", status_label: "予約確定" };
const LINKED = {
  shop: SHOP,
  state: "valid",
  message: "この店舗と連携しています。",
  customer: null,
  reservations: [CANCELLED, COMING],
  reservations_known: true,
  key: { state: "stub", message: "暗証番号をお使いください。" },
};
const UNLINKED = { ...LINKED, state: "none", message: "まだLINEと連携していません。", reservations: [] };
const PATH = "/api/liff/shops/{store_code}";

let root: HTMLElement;
beforeEach(() => {
  history.replaceState(null, "", "/liff/shops/ngy1");
  root = document.createElement("div");
  document.body.replaceChildren(root);
});
afterEach(() => {
  act(() => render(null, root));
  document.querySelector('meta[name="tsudoi-config"]')?.remove();
});

const settle = () => act(() => new Promise<void>((done) => setTimeout(done, 0)));

async function open(answers: Record<string, unknown>, post = vi.fn(async (_path: string, _body: unknown): Promise<unknown> => ({})), path = "/shops/ngy1") {
  history.replaceState(null, "", `/liff${path}`);
  const session = { ...sessionOf(answers, post), pages: ["shops", "reservations"] };
  const routes = [
    { path: "/shops/:code", screen: ShopScreen },
    { path: "/reservations", screen: ReservationsScreen },
  ];
  await act(async () =>
    render(
      <SessionProvider value={session}>
        <Router routes={routes} notFound={() => <h1>nowhere</h1>} />
      </SessionProvider>,
      root,
    ),
  );
  await settle();
  return post;
}

function officeHas(phone: string) {
  const config: Partial<PageConfig> = { office_phone: phone };
  const meta = document.createElement("meta");
  meta.name = "tsudoi-config";
  meta.content = JSON.stringify(config);
  document.head.append(meta);
}

function type(id: string, value: string) {
  const field = root.querySelector<HTMLInputElement>(`#${id}`);
  if (!field) throw new Error(`no field ${id}`);
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

const press = async (name: string) => {
  const found = [...root.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  if (!found) throw new Error(`no button ${name}`);
  await act(async () => found.click());
  await settle();
};

async function asksForCode() {
  await act(async () => type("email", " ｔａｒｏ＠kyaku.example "));
  await act(async () => type("phone_number", "090-1234-5678"));
  await act(async () => {
    root.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  });
  await settle();
}

describe('found("24.C14"): a cancelled reservation', () => {
  test("stands apart from those to come, with by whom, and with no key", async () => {
    await open({ [PATH]: LINKED });
    const cards = (heading: string) => [...root.querySelectorAll(`section[aria-labelledby="${heading}"] li`)].map((one) => one.textContent);
    expect(cards("coming")).toEqual([expect.stringContaining("スタジオB 予約確定")]);
    expect(cards("gone")).toEqual([expect.stringContaining("スタジオA 取り消し済み（店舗による）")]);
    expect(root.textContent).toContain(LINKED.key.message);
  });

  test("alone says that nothing is to come, and nothing about a key", async () => {
    await open({ [PATH]: { ...LINKED, reservations: [CANCELLED] } });
    expect(root.textContent).toContain("これからのご予約はありません。");
    expect(root.textContent).not.toContain(LINKED.key.message);
  });

  test("is told apart in the list of everything", async () => {
    const one = { ...CANCELLED, source: "stores", place: SHOP.name, key: null, notices: [] };
    await open({ "/api/liff/my-reservations": { reservations: [one, { ...one, ...COMING }], gaps: [] } }, undefined, "/reservations");
    expect([...root.querySelectorAll("li.card")].map((card) => card.classList.contains("gone"))).toEqual([true, false]);
  });
});

describe('found("24.C14"): after asking for the code', () => {
  test("the address is shown, and 入力し直す brings the form back with everything in it", async () => {
    const post = await open({ [PATH]: UNLINKED });
    await asksForCode();
    expect(post).toHaveBeenCalledOnce();
    expect(root.querySelector(".say-good")?.textContent).toContain("宛先：taro@kyaku.example");
    await press("入力し直す");
    expect(root.querySelector<HTMLInputElement>("#email")?.value.trim()).toBe("ｔａｒｏ＠kyaku.example");
    expect(root.querySelector<HTMLInputElement>("#phone_number")?.value).toBe("090-1234-5678");
  });

  test("a mail server that takes nothing is said, and no code is asked for", async () => {
    const down = refusal(503, "ただいま確認メールを送れません。お急ぎの場合は、店舗にお電話ください。");
    await open({ [PATH]: UNLINKED }, vi.fn(() => Promise.reject(down)));
    await asksForCode();
    expect(root.querySelector("#code")).toBeNull();
    expect(root.textContent).toContain("ただいま確認メールを送れません");
    expect(root.querySelector('a[href="tel:0521234567"]')).not.toBeNull();
  });
});

describe('found("24.C14"): a telephone number', () => {
  test("is the office's where the shop has none", async () => {
    officeHas("03-0000-1111");
    await open({ [PATH]: { ...UNLINKED, shop: { ...SHOP, phone: null } } });
    expect(root.querySelector(".contacts")?.textContent).toContain("03-0000-1111");
  });

  test.each([
    [404, "SHOP_NOT_FOUND"],
    [410, "SHOP_CLOSED"],
    [500, "INTERNAL"],
  ])("stands on the page of a shop that cannot be shown: %s", async (status, code) => {
    officeHas("03-0000-1111");
    await open({ [PATH]: refusal(status, code) });
    expect(root.querySelector('a[href="tel:0300001111"]')).not.toBeNull();
  });
});
