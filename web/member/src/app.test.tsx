import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Unreachable } from "../../api/errors";
import { App } from "./app";
import { NotInLine, TokenRefused } from "./identity/adapter";
import type { Session, Start } from "./session";

const SESSION = {
  identity: { idToken: "t", userId: "U1", displayName: "LINEの名前", pictureUrl: null },
  client: {},
  me: { user_id: "U1", display_name: "山田 太郎", picture_url: null },
} as unknown as Session;

let root: HTMLElement;

beforeEach(() => {
  history.replaceState(null, "", "/liff/");
  root = document.createElement("div");
  document.body.replaceChildren(root);
});

async function open(run: Start["run"], adapter: unknown = null) {
  await act(async () => render(<App start={{ run, adapter } as Start} />, root));
}

const heading = () => root.querySelector("h1")?.textContent;

describe("the member app", () => {
  test("greets the person by name and says that nothing waits", async () => {
    await open(async () => SESSION);
    expect(heading()).toContain("山田 太郎さん、こんにちは");
    expect(root.textContent).toContain("いま、ご案内はありません");
    await vi.waitFor(() => expect(document.title).toBe("ホーム｜集い"));
  });

  test("falls back to LINE's name, and to none", async () => {
    await open(async () => ({ ...SESSION, me: { ...SESSION.me, display_name: null } }));
    expect(heading()).toContain("LINEの名前さん、こんにちは");
  });

  test("tries again after a lost network", async () => {
    const run = vi.fn<Start["run"]>().mockRejectedValueOnce(new Unreachable()).mockResolvedValueOnce(SESSION);
    await open(run);
    expect(heading()).toBe("つながりませんでした");
    await act(async () => root.querySelector("button")?.click());
    expect(heading()).toContain("こんにちは");
  });

  test("outside LINE it offers LINE's own doors", async () => {
    const login = vi.fn();
    await open(() => Promise.reject(new NotInLine()), { lineUrl: () => "https://liff.line.me/1-a", login });
    expect(heading()).toBe("LINEから開いてください");
    expect(root.querySelector("a")?.getAttribute("href")).toBe("https://liff.line.me/1-a");
    act(() => root.querySelector("button")?.click());
    expect(login).toHaveBeenCalled();
  });

  test("a refused token leads back to LINE", async () => {
    await open(() => Promise.reject(new TokenRefused()), { lineUrl: () => null, login: null });
    expect(heading()).toBe("LINEから開き直してください");
    expect(root.querySelector("button, main a")).toBeNull();
  });
});
