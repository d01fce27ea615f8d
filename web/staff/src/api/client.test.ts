import { expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../../api/errors";
import { AnotherPerson, SessionOver, StaffClient } from "./client";
import { consequenceOf } from "../session/stage";
import { StaffApi } from "./staff-api";

const tokenOf = (sub: string, serial = 0) => `h.${btoa(JSON.stringify({ sub, serial }))}.s`;
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const tokens = (sub = "a", expiresIn = 900, serial = 0) => json({ accessToken: tokenOf(sub, serial), expiresIn });
const NO = () => json({ code: "UNAUTHENTICATED", message: "もう一度", details: [] }, 401);

type Answers = Record<string, (() => Response | Promise<Response>)[]>;

/** Answers each path with its list, the last one again and again. */
function serverWith(answers: Answers) {
  const asked: { path: string; authorization: string | null }[] = [];
  const fetch = vi.fn(async (path: RequestInfo | URL, init?: RequestInit) => {
    asked.push({ path: String(path), authorization: new Headers(init?.headers).get("authorization") });
    const list = answers[String(path).split("?")[0] ?? ""] ?? [];
    const answer = list.length > 1 ? list.shift() : list[0];
    if (!answer) throw new TypeError("no network");
    return answer();
  });
  return { asked, fetch: fetch as unknown as typeof globalThis.fetch };
}

test("the access token goes along, and no request asks for tokens while it lasts", async () => {
  const { asked, fetch } = serverWith({ "/auth/login": [() => tokens()], "/api/staffs/me": [() => json({})] });
  const client = new StaffClient(undefined, fetch);
  await client.login("1001", "7391");
  await new StaffApi(client).me();
  await new StaffApi(client).me();
  expect(asked.map(({ path }) => path)).toEqual(["/auth/login", "/api/staffs/me", "/api/staffs/me"]);
  expect(asked[1]?.authorization).toBe(`Bearer ${tokenOf("a")}`);
});

test("a token that is nearly over is renewed first", async () => {
  const { asked, fetch } = serverWith({
    "/auth/login": [() => tokens("a", 20)],
    "/auth/refresh": [() => tokens("a", 900, 1)],
    "/api/staffs/me": [() => json({})],
  });
  const client = new StaffClient(undefined, fetch);
  await client.login("1001", "7391");
  await new StaffApi(client).me();
  expect(asked.map(({ path }) => path)).toEqual(["/auth/login", "/auth/refresh", "/api/staffs/me"]);
  expect(asked[2]?.authorization).toBe(`Bearer ${tokenOf("a", 1)}`);
});

test("a refused token is renewed once, side by side requests share the renewal", async () => {
  const { asked, fetch } = serverWith({
    "/auth/login": [() => tokens()],
    "/auth/refresh": [() => tokens("a", 900, 1)],
    "/api/staffs/me": [NO, () => json({})],
    "/api/reservations/me": [NO, () => json({ items: [], nextCursor: null })],
  });
  const client = new StaffClient(undefined, fetch);
  await client.login("1001", "7391");
  const api = new StaffApi(client);
  await Promise.all([api.me(), api.reservations()]);
  expect(asked.filter(({ path }) => path === "/auth/refresh")).toHaveLength(1);
});

test("a session that is over is told once to the application", async () => {
  const refused = vi.fn();
  const { fetch } = serverWith({ "/auth/login": [() => tokens()], "/auth/refresh": [NO], "/api/staffs/me": [NO] });
  const client = new StaffClient(refused, fetch);
  await client.login("1001", "7391");
  await expect(new StaffApi(client).me()).rejects.toThrow(SessionOver);
  expect(refused).toHaveBeenCalledOnce();
});

test("a lost answer to the renewal is asked for again at once", async () => {
  const { asked, fetch } = serverWith({
    "/auth/refresh": [() => Promise.reject(new TypeError("lost")), () => tokens()],
    "/api/staffs/me": [() => json({})],
  });
  await new StaffApi(new StaffClient(undefined, fetch)).me();
  expect(asked.map(({ path }) => path)).toEqual(["/auth/refresh", "/auth/refresh", "/api/staffs/me"]);
});

test("without a network the session is not over", async () => {
  const { fetch } = serverWith({});
  await expect(new StaffClient(undefined, fetch).resume()).rejects.toThrow(Unreachable);
});

test("without a cookie there is no session", async () => {
  const { fetch } = serverWith({ "/auth/refresh": [NO] });
  expect(await new StaffClient(undefined, fetch).resume()).toBe(false);
});

test("somebody else's session in the cookie is never used for this person's screen", async () => {
  const { asked, fetch } = serverWith({ "/auth/login": [() => tokens("a", 10)], "/auth/refresh": [() => tokens("b")] });
  const client = new StaffClient(undefined, fetch);
  await client.login("1001", "7391");
  await expect(new StaffApi(client).me()).rejects.toThrow(AnotherPerson);
  expect(asked.map(({ path }) => path)).toEqual(["/auth/login", "/auth/refresh"]);
});

test("after the log-out no token goes along any more", async () => {
  const { asked, fetch } = serverWith({ "/auth/login": [() => tokens()], "/auth/logout": [() => new Response(null, { status: 204 })], "/auth/refresh": [NO] });
  const client = new StaffClient(undefined, fetch);
  await client.login("1001", "7391");
  await client.logout();
  await expect(new StaffApi(client).me()).rejects.toThrow(SessionOver);
  expect(asked.map(({ path }) => path)).toEqual(["/auth/login", "/auth/logout", "/auth/refresh"]);
});

test("a missing session of LINE does not end this one", async () => {
  const refused = vi.fn();
  const { fetch } = serverWith({ "/auth/login": [() => tokens()], "/auth/refresh": [() => tokens()], "/api/staffs/me/line-link": [NO] });
  const client = new StaffClient(refused, fetch);
  await client.login("1001", "7391");
  await expect(new StaffApi(client).linkLine()).rejects.toThrow(ApiError);
  expect(consequenceOf(refused.mock.calls[0]?.[0])).toBeNull();
});

test("a list is read to its last page", async () => {
  const { asked, fetch } = serverWith({
    "/auth/login": [() => tokens()],
    "/api/slots": [() => json({ items: [{ id: 1 }], nextCursor: "a b" }), () => json({ items: [{ id: 2 }], nextCursor: null })],
  });
  const client = new StaffClient(undefined, fetch);
  await client.login("1001", "7391");
  expect(await new StaffApi(client).slots("2026-10-19", "2026-10-25")).toHaveLength(2);
  expect(asked[2]?.path).toBe("/api/slots?from=2026-10-19&to=2026-10-25&limit=200&cursor=a%20b");
});
