import { ApiError } from "../../../api/errors";

const MAX_LENGTH = 100;

/** What can be said about a name before the server is asked. */
export function nameError(name: string): string | null {
  const given = name.trim();
  if (given === "") return "名前を入力してください";
  return [...given].length > MAX_LENGTH ? `名前は${MAX_LENGTH}文字までです。短くしてください` : null;
}

/** What the server says about the name, or null when its answer is about something else. */
export function serverNameError(error: unknown, name: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const detail = error.details.find(({ field }) => field === "name");
  if (error.status === 409 && error.code === "CONFLICT") return `「${name.trim()}」という名前のグループは、すでにあります。別の名前にしてください`;
  if (detail === undefined) return null;
  return detail.reason === "TOO_LONG" ? `名前は${MAX_LENGTH}文字までです。短くしてください` : "使えない文字が入っています。入力し直してください";
}

/** Somebody else has deleted the group meanwhile. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
