import { ApiError, Unreachable } from "../../../api/errors";

// What a lock lasts when the server's answer does not say; its rule is ten minutes.
const USUAL_LOCK_SECONDS = 600;

export type LoginProblem =
  | { kind: "wrong"; message: string }
  | { kind: "locked"; username: string; until: number }
  | { kind: "unreachable"; message: string }
  | { kind: "failed"; message: string; requestId: string | null };

export function loginProblem(error: unknown, username: string, now: number): LoginProblem {
  if (error instanceof Unreachable) return { kind: "unreachable", message: error.message };
  if (!(error instanceof ApiError)) return { kind: "failed", message: "うまくいきませんでした。もう一度お試しください。", requestId: null };
  if (error.status === 401) return { kind: "wrong", message: "ユーザー名またはパスワードが違います。" };
  if (error.status === 429) {
    return { kind: "locked", username, until: now + (error.retryAfterSeconds ?? USUAL_LOCK_SECONDS) * 1000 };
  }
  return { kind: "failed", message: error.message, requestId: error.requestId };
}
