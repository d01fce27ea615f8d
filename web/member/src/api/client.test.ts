// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { LineUnavailable, TokenRefused } from "../identity/adapter";
import { Client } from "./client";

const IDENTITY = { idToken: "token-1", userId: "U1", displayName: "山田", pictureUrl: null };
const ME = { user_id: "U1", display_name: "山田", picture_url: null };

type Reply = [status: number, body: unknown] | Error;

/** A server that answers each path from its list and repeats the last answer. */
function server(replies: Record<string, Reply[]>) {
  const calls: { path: string; init: RequestInit }[] = [];
  const fetch = vi.fn(async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const path = String(input);
    calls.push({ path, init });
    const list = replies[path] ?? [];
    const reply = (list.length > 1 ? list.shift() : list[0]) ?? [404, {}];
    if (reply instanceof Error) throw reply;
    return new Response(JSON.stringify(reply[1]), { status: reply[0] });
  });
  return { fetch: fetch as typeof globalThis.fetch, calls, paths: () => calls.map((call) => call.path) };
}

function refusal(status: number, code: string): Reply {
  return [status, { code, message: code, details: [] }];
}

const opened: Reply = [200, { ok: true, user: ME }];
const me = "/api/liff/me";
const session = "/api/liff/session";

beforeEach(() => {
  localStorage.setItem("tsudoi:session-of", "U1");
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** Lets the pauses pass. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await vi.runAllTimersAsync();
  return promise;
}

function client(fetch: typeof globalThis.fetch, relogin = vi.fn(async () => false)) {
  return { client: new Client(IDENTITY, { relogin }, fetch), relogin };
}

describe("a request", () => {
  test("names the person in the header and needs one call when the session is there", async () => {
    const { fetch, calls } = server({ [me]: [[200, ME]] });
    expect(await settled(client(fetch).client.get(me))).toEqual(ME);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.init.headers).toMatchObject({ "x-line-user-id": "U1" });
  });

  test("opens a session first when the browser holds none of this person", async () => {
    localStorage.setItem("tsudoi:session-of", "U2");
    const { fetch, paths } = server({ [me]: [[200, ME]], [session]: [opened] });
    await settled(client(fetch).client.get(me));
    expect(paths()).toEqual([session, me]);
    expect(localStorage.getItem("tsudoi:session-of")).toBe("U1");
  });

  test("exchanges the token and goes again when the session is missing", async () => {
    const { fetch, calls, paths } = server({ [me]: [refusal(401, "UNAUTHENTICATED"), [200, ME]], [session]: [opened] });
    expect(await settled(client(fetch).client.get(me))).toEqual(ME);
    expect(paths()).toEqual([me, session, me]);
    expect(calls[1]?.init.body).toBe(JSON.stringify({ id_token: "token-1" }));
  });

  test("does the same when the session is another phone's", async () => {
    const { fetch, paths } = server({ [me]: [refusal(403, "IDENTITY_MISMATCH"), [200, ME]], [session]: [opened] });
    await settled(client(fetch).client.get(me));
    expect(paths()).toEqual([me, session, me]);
  });

  test("gives up after three exchanges", async () => {
    const { fetch, paths } = server({ [me]: [refusal(403, "IDENTITY_MISMATCH")], [session]: [opened] });
    await expect(settled(client(fetch).client.get(me))).rejects.toMatchObject({ code: "IDENTITY_MISMATCH" });
    expect(paths().filter((path) => path === session)).toHaveLength(3);
    expect(paths().filter((path) => path === me)).toHaveLength(4);
  });

  test("leaves other refusals alone", async () => {
    const { fetch, paths } = server({ [me]: [refusal(403, "FORBIDDEN")] });
    await expect(settled(client(fetch).client.get(me))).rejects.toBeInstanceOf(ApiError);
    expect(paths()).toEqual([me]);
  });

  test("shares one exchange with those that fail beside it", async () => {
    const missing = refusal(401, "UNAUTHENTICATED");
    const { fetch, paths } = server({ [me]: [missing, missing, [200, ME]], [session]: [opened] });
    const shared = client(fetch).client;
    await settled(Promise.all([shared.get(me), shared.get(me)]));
    expect(paths().filter((path) => path === session)).toHaveLength(1);
  });
});

describe("a refused token", () => {
  const replies = () => ({ [me]: [refusal(401, "UNAUTHENTICATED")], [session]: [refusal(401, "UNAUTHENTICATED")] });

  test("asks for a new log-in once and says so when only the person can help", async () => {
    const { client: refused, relogin } = client(server(replies()).fetch);
    await expect(settled(refused.get(me))).rejects.toBeInstanceOf(TokenRefused);
    expect(relogin).toHaveBeenCalledTimes(1);
  });

  test("stays silent while the browser leaves for LINE", async () => {
    const { client: refused } = client(server(replies()).fetch, vi.fn(async () => true));
    const settledAtAll = vi.fn();
    refused.get(me).then(settledAtAll, settledAtAll);
    await vi.runAllTimersAsync();
    expect(settledAtAll).not.toHaveBeenCalled();
  });
});

describe("trouble on the way", () => {
  test("LINE that cannot be asked is told apart from us", async () => {
    const { fetch } = server({ [me]: [refusal(401, "UNAUTHENTICATED")], [session]: [refusal(503, "LINE_UNAVAILABLE")] });
    await expect(settled(client(fetch).client.get(me))).rejects.toBeInstanceOf(LineUnavailable);
  });

  test("a lost network is Unreachable", async () => {
    const { fetch } = server({ [me]: [new TypeError("Failed to fetch")] });
    await expect(settled(client(fetch).client.get(me))).rejects.toBeInstanceOf(Unreachable);
  });

  test("a server that never answers is given up after fifteen seconds", async () => {
    const silent = vi.fn((_: unknown, init: RequestInit = {}) => {
      return new Promise<Response>((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    });
    await expect(settled(client(silent as typeof globalThis.fetch).client.get(me))).rejects.toBeInstanceOf(Unreachable);
  });
});
