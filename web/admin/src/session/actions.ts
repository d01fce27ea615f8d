import { ApiError } from "../../../api/errors";
import { answerOf, openApi } from "../api/client";
import { queryClient } from "../api/queries";
import { session } from "./session";

/** True when the browser holds a live session. Asked once after each load of the page. */
export async function recallSession(): Promise<boolean> {
  if (session.snapshot().username !== null) return true;
  try {
    const me = await answerOf(openApi.GET("/api/admin/me"));
    session.begin(me.username, me.csrf_token, me.next_step);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

export async function logIn(username: string, password: string, code?: string): Promise<void> {
  const before = session.snapshot().username;
  await answerOf(openApi.POST("/api/admin/login", { body: { username, password, ...(code === undefined ? {} : { code }) } }));
  const me = await answerOf(openApi.GET("/api/admin/me"));
  if (before !== null && (before !== username || me.next_step !== null)) return startAfresh();
  session.begin(me.username, me.csrf_token, me.next_step);
}

/** Somebody else took over an expired session, or has to do something else first: nothing may stay on the screen. */
function startAfresh(): Promise<never> {
  window.location.assign("/admin/");
  return new Promise<never>(() => {});
}

export async function logOut(): Promise<void> {
  const headers = { "x-csrf-token": session.csrfToken ?? "" };
  try {
    await answerOf(openApi.POST("/api/admin/logout", { headers }));
  } catch (error) {
    // A session that is gone already is what was asked for.
    if (!(error instanceof ApiError && error.status === 401)) throw error;
  }
  session.end();
  queryClient.clear();
}
