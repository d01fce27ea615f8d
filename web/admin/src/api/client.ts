import createClient from "openapi-fetch";
import { apiError, Unreachable } from "../../../api/errors";
import type { paths } from "../../../api/schema";
import type { WithoutHeaders } from "../../../api/shapes";
import { isUntouched } from "../session/activity";
import { type Session, session as consoleSession } from "../session/session";

type Api = WithoutHeaders<paths>;
type Send = (request: Request) => Promise<Response>;
type Leave = () => Promise<never>;

const STEPS = new Set(["PASSWORD_CHANGE_REQUIRED", "TOTP_SETUP_REQUIRED"]);
const SAFE_METHODS = new Set(["GET", "HEAD"]);
const SAME_ORIGIN = { baseUrl: window.location.origin };

const overTheNetwork: Send = async (request) => {
  try {
    return await window.fetch(request);
  } catch (cause) {
    throw new Unreachable(cause);
  }
};

/** For log-in itself, where a 401 is an answer and not the end of a session. */
export const openApi = createClient<Api>({ ...SAME_ORIGIN, fetch: overTheNetwork });

/**
 * Sends with the session's CSRF token. When the session has ended, the request waits until the person
 * has logged in again and then goes once more, so that no screen loses what was typed into it.
 */
export function withSession(session: Session, send: Send, refresh: () => Promise<void>, leave: Leave = toOwnAccount): Send {
  return async (request) => {
    const again = request.clone();
    const usedToken = session.csrfToken;
    const answer = await send(signed(request, usedToken));
    if (session.nextStep === null && (await asksForAStep(answer))) return leave();
    if (answer.status === 401) await session.renewed();
    else if (answer.status === 403 && !SAFE_METHODS.has(request.method)) await refresh();
    else return answer;
    // A token that is still the same was refused for what it asks, not for its age.
    return session.csrfToken === usedToken && answer.status === 403 ? answer : send(signed(again, session.csrfToken));
  };
}

/** The second factor has become required, or a colleague has removed it, while this page was open. */
async function asksForAStep(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const body: unknown = await answer.clone().json().catch(() => null);
  return STEPS.has(apiError(answer, body).code);
}

/** Nothing else is answered before the step is done, so that the page is left for the screen that asks for it. */
function toOwnAccount(): Promise<never> {
  window.location.assign("/admin/account");
  return new Promise<never>(() => {});
}

function signed(request: Request, csrfToken: string | null): Request {
  if (isUntouched()) request.headers.set("x-background", "1");
  if (csrfToken && !SAFE_METHODS.has(request.method)) request.headers.set("x-csrf-token", csrfToken);
  return request;
}

/** Another tab may have logged in meanwhile, which gives this one a new token for the same cookie. */
async function refreshToken(): Promise<void> {
  const { data } = await openApi.GET("/api/admin/me");
  if (data) consoleSession.begin(data.username, data.csrf_token, data.next_step);
}

export const api = createClient<Api>({
  ...SAME_ORIGIN,
  fetch: withSession(consoleSession, overTheNetwork, refreshToken),
});

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The answer's data, or the one error class that the screens know. */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw apiError(response, error);
  return data as T;
}
