// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../api/errors";
import { Session } from "../session/session";
import { answerOf, withSession } from "./client";

const URL_OF = "http://localhost/api/admin/things";

function loggedIn(): Session {
  const session = new Session();
  session.begin("jimukyoku", "token-1");
  return session;
}

/** Answers with the given statuses in turn and notes what was sent. */
function server(...statuses: number[]) {
  const sent: { method: string; token: string | null; body: string }[] = [];
  const send = vi.fn(async (request: Request) => {
    sent.push({ method: request.method, token: request.headers.get("x-csrf-token"), body: await request.text() });
    return new Response(null, { status: statuses.shift() ?? 200 });
  });
  return { send, sent };
}

const write = () => new Request(URL_OF, { method: "POST", body: '{"name":"理事会"}' });
const nothing = async () => {};

describe("withSession", () => {
  test("signs writes and leaves reads alone", async () => {
    const { send, sent } = server();
    const signed = withSession(loggedIn(), send, nothing);
    await signed(write());
    await signed(new Request(URL_OF));
    expect(sent.map(({ method, token }) => [method, token])).toEqual([
      ["POST", "token-1"],
      ["GET", null],
    ]);
  });

  test("says of a request that nobody has caused that it keeps no session alive", async () => {
    const { send } = server();
    const signed = withSession(loggedIn(), send, nothing);
    const background = async () => {
      await signed(new Request(URL_OF));
      return send.mock.lastCall?.[0].headers.has("x-background");
    };
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    window.dispatchEvent(new Event("keydown"));
    expect(await background()).toBe(false);
    vi.setSystemTime(Date.now() + 121_000);
    expect(await background()).toBe(true);
    window.dispatchEvent(new Event("pointerdown"));
    expect(await background()).toBe(false);
    vi.useRealTimers();
  });

  test("waits for a new log-in and then sends the same again with the new token", async () => {
    const session = loggedIn();
    const { send, sent } = server(401, 200);
    const answer = withSession(session, send, nothing)(write());
    await vi.waitFor(() => expect(session.snapshot()).toEqual({ username: "jimukyoku", expired: true }));
    session.begin("jimukyoku", "token-2");
    expect((await answer).status).toBe(200);
    expect(sent.map(({ token, body }) => [token, body])).toEqual([
      ["token-1", '{"name":"理事会"}'],
      ["token-2", '{"name":"理事会"}'],
    ]);
  });

  test("leaves for the own account when the server asks for a step before anything else, once", async () => {
    const session = loggedIn();
    const refused = async () => Response.json({ code: "TOTP_SETUP_REQUIRED", message: "", details: [] }, { status: 403 });
    const leave = vi.fn(() => new Promise<never>(() => {}));
    void withSession(session, refused, nothing, leave)(new Request(URL_OF));
    await vi.waitFor(() => expect(leave).toHaveBeenCalledOnce());
    // The screen of the own account knows of the step, and must not be loaded again and again.
    session.begin("jimukyoku", "token-1", "totp");
    expect((await withSession(session, refused, nothing, leave)(new Request(URL_OF))).status).toBe(403);
    expect(leave).toHaveBeenCalledOnce();
  });

  test("asks once for all requests that wait", async () => {
    const session = loggedIn();
    const changed = vi.fn();
    session.subscribe(changed);
    const { send } = server(401, 401, 200, 200);
    const signed = withSession(session, send, nothing);
    const answers = Promise.all([signed(write()), signed(write())]);
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    await vi.waitFor(() => expect(changed).toHaveBeenCalled());
    // Both have had their turn by now; a second question would have been asked.
    await new Promise((done) => setTimeout(done));
    expect(changed).toHaveBeenCalledTimes(1);
    session.begin("jimukyoku", "token-2");
    expect((await answers).map((answer) => answer.status)).toEqual([200, 200]);
  });

  test("takes the new token when another tab has logged in", async () => {
    const session = loggedIn();
    const { send, sent } = server(403, 200);
    const refresh = async () => session.begin("jimukyoku", "token-2");
    expect((await withSession(session, send, refresh)(write())).status).toBe(200);
    expect(sent.map(({ token }) => token)).toEqual(["token-1", "token-2"]);
  });

  test("lets a real refusal stand", async () => {
    const { send } = server(403, 200);
    expect((await withSession(loggedIn(), send, nothing)(write())).status).toBe(403);
    expect(send).toHaveBeenCalledOnce();
  });
});

describe("answerOf", () => {
  test("gives the data of a success", async () => {
    expect(await answerOf(Promise.resolve({ data: { ok: true }, response: new Response() }))).toEqual({ ok: true });
  });

  test("throws what the server said otherwise", async () => {
    const error = { code: "CONFLICT", message: "同じ名前があります。", details: [] };
    const call = answerOf(Promise.resolve({ error, response: new Response(null, { status: 409 }) }));
    await expect(call).rejects.toBeInstanceOf(ApiError);
    await expect(call).rejects.toMatchObject({ status: 409, code: "CONFLICT", message: "同じ名前があります。" });
  });
});
