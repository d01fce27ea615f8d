import { ApiError, Unreachable } from "../../../../api/errors";
import type { Answer } from "../../../../api/shapes";
import { answerOf, api } from "../../api/client";
import type { Attempt, Draft } from "../draft/draft";
import type { Picture } from "../draft/picture-store";
import { requestFields } from "../queries";

export type CreatedEvent = Answer<"/api/admin/events", "post">;

/** A little longer than the server holds on to a request that went silent. */
const MAX_WAIT_MS = 150_000;

export function formOf(draft: Draft, picture: Picture, attempt: Attempt): FormData {
  const { target_member_ids, ...fields } = requestFields(draft, attempt.memberIds);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set("target_member_ids", JSON.stringify(target_member_ids));
  form.set("confirm_over_quota", String(attempt.overQuota));
  form.set("image", picture.file, "image.jpg");
  return form;
}

/** The server answers as soon as everything is written down (`wait=0`); it then sends, whatever becomes of this page. */
export function postEvent(key: string, form: FormData): Promise<CreatedEvent> {
  return answerOf(
    api.POST("/api/admin/events", {
      params: { query: { wait: 0 } },
      headers: { "Idempotency-Key": key },
      // The generated type describes the form as if it were JSON.
      body: form as never,
      bodySerializer: () => form,
    }),
  );
}

type Pause = (ms: number) => Promise<void>;
const pause: Pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Somebody (another tab, or this page before it was reloaded) is sending the same: its answer is ours too. */
export async function sendUntilAnswered(send: () => Promise<CreatedEvent>, wait: Pause = pause, now: () => number = Date.now): Promise<CreatedEvent> {
  const until = now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!isInFlight(error) || now() >= until) throw error;
      await wait(Math.max(1, error.retryAfterSeconds ?? 1) * 1000);
    }
  }
}

function isInFlight(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "IN_FLIGHT";
}

/** Nobody knows whether it arrived: the same may be sent again, and nothing else. */
export function isUncertain(error: unknown): boolean {
  return error instanceof Unreachable || isInFlight(error) || (error instanceof ApiError && error.status >= 500);
}

/** This draft became an event before it was changed. */
export function isSentAlready(error: unknown): boolean {
  return error instanceof ApiError && error.code === "IDEMPOTENCY_KEY_REUSED";
}
