import { useRef, useState } from "react";
import { ApiError, Unreachable } from "../../../api/errors";
import { answerOf, api } from "../api/client";
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { refreshThreads } from "../threads/queries";
import type { BoardSearch } from "../threads/search";
import type { NewThreadBody, ThreadDraft } from "./draft";
import { serverErrors } from "./server-errors";
import type { Errors } from "./steps-of";

/** A little longer than the server holds on to a request that went silent. */
const MAX_WAIT_MS = 60_000;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

interface Outcome {
  refuse: (errors: Errors) => void;
  attempt: () => void;
  finish: () => void;
  made: (threadId: string, search: BoardSearch) => void;
}

/** Creates the draft, and sends it when that is wanted: two requests, each with a key of its own, so that neither happens twice. */
export function useCreating(draft: ThreadDraft, { refuse, attempt, finish, made }: Outcome) {
  const running = useRef(false);
  const [busy, setBusy] = useState<"save" | "send" | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function go(body: NewThreadBody, confirmOverQuota: boolean | null): Promise<void> {
    attempt();
    const created = await untilAnswered(() => answerOf(api.POST("/api/threads", { body, headers: { "Idempotency-Key": draft.key } })));
    finish();
    refreshThreads();
    if (confirmOverQuota === null) return made(created.thread.id, { made: "saved" });
    try {
      const sent = await untilAnswered(() => send(created.thread.id, confirmOverQuota, `${draft.key}-send`));
      made(created.thread.id, { made: "sent", told: sent.told });
    } catch {
      // The thread is there as a draft, and its page says how it stands and offers to send it.
      made(created.thread.id, { made: "unsent" });
    }
    refreshThreads();
  }

  async function create(body: NewThreadBody, confirmOverQuota: boolean | null): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(confirmOverQuota === null ? "save" : "send");
    setError(null);
    try {
      await go(body, confirmOverQuota);
    } catch (failure) {
      const errors = serverErrors(failure);
      if (errors === null) setError(failure);
      else refuse(errors);
    } finally {
      running.current = false;
      setBusy(null);
    }
  }
  return { busy, error, create, clear: () => setError(null) };
}

export function send(threadId: string, confirm_over_quota: boolean, key: string = newIdempotencyKey()) {
  return answerOf(api.POST("/api/threads/{thread_id}/send", { params: { path: { thread_id: threadId } }, body: { confirm_over_quota }, headers: { "Idempotency-Key": key } }));
}

/** Somebody (another tab, or this page before it was reloaded) is sending the same: its answer is ours too. */
async function untilAnswered<T>(request: () => Promise<T>): Promise<T> {
  const until = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "IN_FLIGHT") || Date.now() >= until) throw error;
      await pause(Math.max(1, error.retryAfterSeconds ?? 1) * 1000);
    }
  }
}

/** Nobody knows whether it arrived: the same may be sent again. */
export function isUncertain(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof ApiError && (error.status >= 500 || error.code === "IN_FLIGHT"));
}

/** The draft was taken with other content before, as when two tabs have the same draft. */
export function isMadeAlready(error: unknown): boolean {
  return error instanceof ApiError && error.code === "IDEMPOTENCY_KEY_REUSED";
}
