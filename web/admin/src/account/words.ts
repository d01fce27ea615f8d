import { ApiError } from "../../../api/errors";
import type { OpenSession } from "./queries";

export const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 200;

/** What a session is called: the device of a person, or the purpose of a token. */
export function sessionName({ kind, label, device }: Pick<OpenSession, "kind" | "label" | "device">): string {
  if (kind === "token") return label ?? "用途の記録がないAPIトークン";
  return device ?? "不明な端末";
}

/** What the server says about one field of a form, or null when the error is about something else. */
export function fieldError(error: unknown, field: string): string | null {
  return error instanceof ApiError && error.details.some((detail) => detail.field === field) ? error.message : null;
}

export interface PasswordDraft {
  current: string;
  wanted: string;
  again: string;
}

/** What is wrong before anybody is asked. The rules about easy passwords are the server's. */
export function passwordErrors({ current, wanted, again }: PasswordDraft): Record<keyof PasswordDraft, string | false> {
  const length = [...wanted].length;
  return {
    current: !current && "現在のパスワードを入力してください",
    wanted:
      (length < SHORTEST_PASSWORD && `${SHORTEST_PASSWORD}文字以上にしてください`) ||
      (length > LONGEST_PASSWORD && `${LONGEST_PASSWORD}文字までにしてください`),
    again: wanted !== again && "新しいパスワードと違います",
  };
}
