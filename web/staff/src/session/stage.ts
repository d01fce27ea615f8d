import { ApiError } from "../../../api/errors";
import { AnotherPerson, SessionOver } from "../api/client";
import type { Profile } from "../api/shapes";

/** Which kind of screen stands there: each step needs the one before. */
export type Stage =
  | { kind: "starting" }
  | { kind: "failed"; error: unknown }
  | { kind: "login"; notice: string }
  /** The PIN is the initial one. `currentPin` is what was typed a moment ago, if it is known. */
  | { kind: "pin"; currentPin: string | null }
  | { kind: "ready"; profile: Profile; pin: string | null };

/** What the application does about an error, whichever request met it; null: the screen says it. */
export type Consequence = "login" | "pin" | "missing" | "reload" | null;

export function consequenceOf(error: unknown): Consequence {
  if (error instanceof AnotherPerson) return "reload";
  if (error instanceof SessionOver) return "login";
  if (!(error instanceof ApiError)) return null;
  switch (error.code) {
    case "STAFF_NOT_ACTIVE":
      return "login";
    case "PIN_CHANGE_REQUIRED":
      return "pin";
    case "PROFILE_INCOMPLETE":
      return "missing";
    default:
      return null;
  }
}

/** What the log-in screen says to somebody whose session has ended. */
export function noticeOf(error: unknown): string {
  if (error instanceof ApiError && error.code === "STAFF_NOT_ACTIVE") return error.message;
  return "ログインの有効期限が切れました。もう一度ログインしてください。";
}
