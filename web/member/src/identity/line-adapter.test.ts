// @vitest-environment happy-dom
import liff from "@line/liff/core";
import GetDecodedIDToken from "@line/liff/get-decoded-id-token";
import GetIDToken from "@line/liff/get-id-token";
import IsInClient from "@line/liff/is-in-client";
import IsLoggedIn from "@line/liff/is-logged-in";
import Login from "@line/liff/login";
import Logout from "@line/liff/logout";
import { LiffMockPlugin } from "@line/liff-mock";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { LineUnavailable, NotInLine } from "./adapter";
import { type Liff, LineAdapter } from "./line-adapter";

interface Mock {
  set(data: Record<string, unknown>): void;
  clear(): void;
}
const mock = () => (liff as unknown as { $mock: Mock }).$mock;

beforeAll(() => {
  // The mock plugin asks whether the page is inside LINE, so that module comes first.
  for (const Module of [IsInClient, IsLoggedIn, GetIDToken, GetDecodedIDToken, Login, Logout]) liff.use(new Module() as never);
  liff.use(new LiffMockPlugin() as never);
});

beforeEach(() => {
  mock().clear();
  sessionStorage.clear();
});

/** LINE's SDK in its mock mode; everything else is the real object. */
function mocked(overrides: Partial<Liff> = {}): Liff {
  const init = ((config: { liffId: string }) => liff.init({ ...config, mock: true } as never)) as Liff["init"];
  return {
    init,
    isInClient: () => liff.isInClient(),
    isLoggedIn: () => liff.isLoggedIn(),
    getIDToken: () => liff.getIDToken(),
    getDecodedIDToken: () => liff.getDecodedIDToken(),
    login: vi.fn(),
    logout: vi.fn(),
    ...overrides,
  };
}

function page(pathname = "/liff/events/12") {
  const made = { location: { pathname, href: `https://tsudoi.test${pathname}`, replace: vi.fn() }, sessionStorage };
  return made as unknown as typeof made & Window;
}

describe("init", () => {
  test("tells who holds the phone from the ID token", async () => {
    const sdk = mocked({ isLoggedIn: () => true });
    mock().set({ getIDToken: "line-token", getDecodedIDToken: { sub: "U1", name: "山田 太郎", picture: "https://example.test/p.jpg" } });
    expect(await new LineAdapter(sdk, "1-a", page()).init()).toEqual({
      idToken: "line-token",
      userId: "U1",
      displayName: "山田 太郎",
      pictureUrl: "https://example.test/p.jpg",
    });
  });

  test("asks to open LINE when nobody is logged in", async () => {
    await expect(new LineAdapter(mocked({ isLoggedIn: () => false }), "1-a", page()).init()).rejects.toBeInstanceOf(NotInLine);
  });

  test("asks to open LINE when the channel gives no ID token", async () => {
    const sdk = mocked({ isLoggedIn: () => true, getIDToken: () => null });
    await expect(new LineAdapter(sdk, "1-a", page()).init()).rejects.toBeInstanceOf(NotInLine);
  });

  test("says that LINE is unavailable when its SDK does not start", async () => {
    const sdk = mocked({ init: () => Promise.reject(new Error("Unable to load client features.")) });
    await expect(new LineAdapter(sdk, "1-a", page()).init()).rejects.toBeInstanceOf(LineUnavailable);
  });
});

test("an SDK that never answers counts as unavailable", async () => {
  vi.useFakeTimers();
  const started = new LineAdapter(mocked({ init: () => new Promise(() => {}) }), "1-a", page()).init();
  const refused = expect(started).rejects.toBeInstanceOf(LineUnavailable);
  await vi.advanceTimersByTimeAsync(20_000);
  await refused;
  vi.useRealTimers();
});

describe("relogin", () => {
  test("inside LINE it logs out and opens the LIFF address of the same screen", async () => {
    const at = page();
    const sdk = mocked({ isInClient: () => true });
    expect(await new LineAdapter(sdk, "1-a", at).relogin()).toBe(true);
    expect(sdk.logout).toHaveBeenCalled();
    expect(at.location.replace).toHaveBeenCalledWith("https://liff.line.me/1-a/events/12");
  });

  test("in another browser it goes through LINE's log-in and comes back here", async () => {
    const sdk = mocked({ isInClient: () => false });
    expect(await new LineAdapter(sdk, "1-a", page()).relogin()).toBe(true);
    expect(sdk.login).toHaveBeenCalledWith({ redirectUri: "https://tsudoi.test/liff/events/12" });
  });

  test("does not run in circles", async () => {
    const sdk = mocked({ isInClient: () => true });
    const adapter = new LineAdapter(sdk, "1-a", page());
    await adapter.relogin();
    expect(await adapter.relogin()).toBe(false);
    expect(sdk.logout).toHaveBeenCalledTimes(1);
  });
});

test("the LIFF address of the start page has no trailing slash", () => {
  expect(new LineAdapter(mocked(), "1-a", page("/liff/")).lineUrl()).toBe("https://liff.line.me/1-a");
});
