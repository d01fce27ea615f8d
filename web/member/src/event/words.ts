// What the screen says about an answer: the truth at every moment, in plain words.
import { ApiError } from "../../../api/errors";
import { formatDateTime } from "../../../api/times";
import type { Standing } from "../answers/sender";
import { STATUS_WORDS } from "../shapes";
import type { OnRecord } from "./use-recorded";

export interface Line {
  tone: "open" | "done" | "busy" | "warn" | "bad";
  text: string;
}

/** `出席で回答済み 2025/09/01 12:00` */
export function recordedWords({ status, respondedAt }: OnRecord): string {
  if (status === "pending") return "まだ回答していません";
  return `${STATUS_WORDS[status]}で回答済み ${respondedAt ? formatDateTime(respondedAt) : ""}`.trimEnd();
}

export function lineFor(standing: Standing, recorded: OnRecord): Line {
  switch (standing.kind) {
    case "sending":
      return { tone: "busy", text: `「${STATUS_WORDS[standing.answer.status]}」を送っています…` };
    case "waiting":
      return { tone: "warn", text: waitingWords(standing.why) };
    case "refused":
      return { tone: "bad", text: refusalWords(standing.error) };
    case "lapsed":
      return { tone: "warn", text: `前に押した「${STATUS_WORDS[standing.answer.status]}」は、送れないまま1日が過ぎました。下の記録を確かめて、もう一度押してください。` };
    case "idle":
      return { tone: recorded.status === "pending" ? "open" : "done", text: recordedWords(recorded) };
  }
}

function waitingWords(why: "network" | "server" | "login"): string {
  if (why === "login") return "まだ送れていません。LINEのトーク画面からこのページを開き直すと、自動的に送ります。";
  if (why === "server") return "まだ送れていません。サーバーが混み合っているため、自動的に送り直します。";
  return "まだ送れていません。電波の良い所で自動的に送り直します。";
}

const REFUSALS: Record<string, string> = {
  EVENT_CANCELLED: "このイベントは中止になったため、回答は記録されませんでした。",
  DEADLINE_PASSED: "回答期限を過ぎたため、回答は記録されませんでした。変更したいときは、事務局にご連絡ください。",
  EVENT_OVER: "イベントの日が終わったため、回答は記録されませんでした。変更したいときは、事務局にご連絡ください。",
  NOT_INVITED: "このイベントのご案内先に入っていないため、回答は記録されませんでした。お心当たりがあるときは、事務局にご連絡ください。",
  NOT_FOUND: "このイベントが見つからないため、回答は記録されませんでした。一覧でお確かめください。",
  INVALID_INPUT: "使えない文字が入っているため、記録されませんでした。文を短くするか、記号や絵文字を減らしてお試しください。",
};

export function refusalWords(error: unknown): string {
  const known = error instanceof ApiError ? REFUSALS[error.code] : undefined;
  return known ?? "回答は記録されませんでした。もう一度押してください。続くときは、事務局にご連絡ください。";
}
