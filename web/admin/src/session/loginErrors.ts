import { ApiError, Unreachable } from "../../../api/errors";

// What a lock lasts when the server's answer does not say; its rule is ten minutes.
const USUAL_LOCK_SECONDS = 600;

export type LoginProblem =
  | { kind: "wrong"; message: string }
  | { kind: "code"; message: string }
  | { kind: "old"; message: string }
  | { kind: "locked"; username: string; until: number }
  | { kind: "unreachable"; message: string }
  | { kind: "failed"; message: string; requestId: string | null };

/** The password is right, and the account has a second factor. */
export function asksForCode(error: unknown): boolean {
  return error instanceof ApiError && error.code === "TOTP_REQUIRED";
}

export function loginProblem(error: unknown, username: string, now: number): LoginProblem {
  if (error instanceof Unreachable) return { kind: "unreachable", message: error.message };
  if (!(error instanceof ApiError)) return { kind: "failed", message: "うまくいきませんでした。もう一度お試しください。", requestId: null };
  if (error.code === "TOTP_WRONG") return { kind: "code", message: error.message };
  if (error.code === "ONE_TIME_PASSWORD_TOO_OLD") return { kind: "old", message: error.message };
  if (error.status === 401) return { kind: "wrong", message: "ユーザー名またはパスワードが違います。" };
  if (error.status === 429) {
    return { kind: "locked", username, until: now + (error.retryAfterSeconds ?? USUAL_LOCK_SECONDS) * 1000 };
  }
  return { kind: "failed", message: error.message, requestId: error.requestId };
}
