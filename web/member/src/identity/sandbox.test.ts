import { describe, expect, test, vi } from "vitest";
import { NotInLine } from "./adapter";
import { SandboxAdapter } from "./sandbox";
import { idTokenOf } from "./tokens.fixture";

const TOKEN = idTokenOf({ sub: "U1", name: "山田 太郎", picture: "https://example.test/p.jpg" });
const TARO = { idToken: TOKEN, userId: "U1", displayName: "山田 太郎", pictureUrl: "https://example.test/p.jpg" };

function page(href: string, name = "") {
  const url = new URL(href, "http://localhost:8000");
  const { pathname, search, hash, origin } = url;
  const made = {
    name,
    location: { pathname, search, hash, origin, href: url.href, replace: vi.fn() },
    history: { replaceState: vi.fn() },
    parent: { postMessage: vi.fn() },
  };
  return made as typeof made & Window;
}

function adapter(at: Window): SandboxAdapter {
  return new SandboxAdapter(at, "/liff/");
}

function handedOver(state: string): string {
  return `/liff/?liff.state=${encodeURIComponent(state)}#access_token=a&id_token=${TOKEN}&user_id=U1`;
}

describe("the first load", () => {
  test.each([
    ["/", "http://localhost:8000/liff/"],
    ["/events/12?from=talk", "http://localhost:8000/liff/events/12?from=talk"],
    ["//evil.test/x", "http://localhost:8000/liff/evil.test/x"],
    ["/../admin/", "/liff/"],
  ])("remembers the person and goes on to %s", async (state, target) => {
    const at = page(handedOver(state));
    const done = vi.fn();
    void adapter(at).init().then(done);
    await vi.waitFor(() => expect(at.location.replace).toHaveBeenCalledExactlyOnceWith(target));
    expect(JSON.parse(at.name)).toEqual({ tsudoi: TARO });
    expect(done).not.toHaveBeenCalled();
  });

  test("without a state it stays, and takes the tokens out of the address", async () => {
    const at = page(`/liff/#id_token=${TOKEN}&user_id=U1`);
    expect(await adapter(at).init()).toEqual(TARO);
    expect(at.history.replaceState).toHaveBeenCalledWith(null, "", "/liff/");
  });

  test("a token that cannot be read still names the person by the user id", async () => {
    const identity = await adapter(page("/liff/#id_token=opaque&user_id=U9")).init();
    expect(identity).toEqual({ idToken: "opaque", userId: "U9", displayName: null, pictureUrl: null });
  });
});

describe("later loads", () => {
  test("know the person from the frame's name", async () => {
    const at = page("/liff/events/12", JSON.stringify({ tsudoi: TARO }));
    expect(await adapter(at).init()).toEqual(TARO);
    expect(at.history.replaceState).not.toHaveBeenCalled();
  });

  test.each(["", "phone-3", "{}"])("without a person (name %o) ask to open LINE", async (name) => {
    await expect(adapter(page("/liff/", name)).init()).rejects.toBeInstanceOf(NotInLine);
  });
});

describe("relogin", () => {
  test("forgets the old token and asks the phone around the frame", async () => {
    const at = page("/liff/", JSON.stringify({ tsudoi: TARO }));
    expect(await adapter(at).relogin()).toBe(false);
    expect(at.name).toBe("");
    expect(at.parent.postMessage).toHaveBeenCalledWith({ type: "tsudoi:relogin" }, "*");
  });
});
