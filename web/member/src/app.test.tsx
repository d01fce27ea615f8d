// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Unreachable } from "../../api/errors";
import { App } from "./app";
import { NotInLine, TokenRefused } from "./identity/adapter";
import type { Start } from "./session";
import { sessionOf } from "./session.fixture";

const SESSION = sessionOf({ "/api/liff/events": { items: [] } });

let root: HTMLElement;

beforeEach(() => {
  history.replaceState(null, "", "/liff/");
  root = document.createElement("div");
  document.body.replaceChildren(root);
});

async function open(run: Start["run"], adapter: unknown = null) {
  await act(async () => render(<App start={{ run, adapter } as Start} />, root));
  await settled();
}

/** Lets answers come in and effects run. */
async function settled() {
  for (let round = 0; round < 3; round++) await act(() => new Promise<void>((done) => setTimeout(done, 0)));
}

const heading = () => root.querySelector("h1")?.textContent;

describe("the member app", () => {
  test("starts with the list, addressed to the person", async () => {
    await open(async () => SESSION);
    expect(heading()).toBe("あなたへのお願い");
    expect(root.textContent).toContain("山田 太郎さん");
    await vi.waitFor(() => expect(document.title).toBe("あなたへのお願い｜集い"));
  });

  test("says no name when LINE gives none", async () => {
    await open(async () => ({ ...SESSION, identity: { ...SESSION.identity, displayName: null } }));
    expect(heading()).toBe("あなたへのお願い");
    expect(root.textContent).not.toContain("さん");
  });

  test("tries again after a lost network", async () => {
    const run = vi.fn<Start["run"]>().mockRejectedValueOnce(new Unreachable()).mockResolvedValueOnce(SESSION);
    await open(run);
    expect(heading()).toBe("つながりませんでした");
    await act(async () => root.querySelector("button")?.click());
    await settled();
    expect(heading()).toBe("あなたへのお願い");
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
