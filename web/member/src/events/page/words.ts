// What the screen says about an answer: the truth at every moment, in plain words.
import { ApiError } from "../../../../api/errors";
import { formatDateTime } from "../../../../api/times";
import { waitingWords } from "../../answers/words";
import type { EventSendState } from "../answers/event-answers";
import { type EventDetail, STATUS_NAMES } from "../shapes";
import type { RecordedAnswer } from "./use-recorded";

export interface Line {
  tone: "open" | "done" | "busy" | "warn" | "bad";
  text: string;
}

// What an invitation says on LINE, and this page shows anyway: its own title and time, and where one answers.
const STOCK = "出欠のご回答をお願いします。\n詳細・回答は以下のリンクからご確認ください。";
const WHEN = /^\d{1,2}月\d{1,2}日（.）\d{2}:\d{2}$/;

/** The text of the invitation without what the page says already; empty where nothing is left. */
export function ownWords({ title, body }: Pick<EventDetail, "title" | "body">): string {
  const [first = "", ...rest] = (body ?? "").split("\n");
  const heading = `「${title}」 `;
  const headed = first.startsWith(heading) && WHEN.test(first.slice(heading.length));
  const text = headed ? rest.join("\n") : (body ?? "");
  return text.replace(STOCK, "").trim();
}

/** `出席で回答済み 2025/09/01 12:00` */
export function recordedWords({ status, respondedAt }: RecordedAnswer): string {
  if (status === "pending") return "まだ回答していません";
  return `${STATUS_NAMES[status]}で回答済み ${respondedAt ? formatDateTime(respondedAt) : ""}`.trimEnd();
}

export function lineFor(sendState: EventSendState, recorded: RecordedAnswer): Line {
  switch (sendState.kind) {
    case "sending":
      return { tone: "busy", text: `「${STATUS_NAMES[sendState.answer.status]}」を送っています…` };
    case "waiting":
      return { tone: "warn", text: waitingWords(sendState.why) };
    case "refused":
      return { tone: "bad", text: refusalWords(sendState.error) };
    case "lapsed":
      return { tone: "warn", text: `前に押した「${STATUS_NAMES[sendState.answer.status]}」は、送れないまま1日が過ぎました。下の記録を確かめて、もう一度押してください。` };
    case "idle":
      return { tone: recorded.status === "pending" ? "open" : "done", text: recordedWords(recorded) };
  }
}

const REFUSALS: Record<string, string> = {
  EVENT_CANCELLED: "このイベントは中止になったため、回答は記録されませんでした。",
  EVENT_OVER: "このイベントの日は終わったため、回答は記録されませんでした。お伝えになりたいことがあるときは、事務局にご連絡ください。",
  DEADLINE_PASSED: "回答期限を過ぎたため、回答は記録されませんでした。変更したいときは、事務局にご連絡ください。",
  NOT_INVITED: "このイベントのご案内先に入っていないため、回答は記録されませんでした。お心当たりがあるときは、事務局にご連絡ください。",
  NOT_FOUND: "このイベントが見つからないため、回答は記録されませんでした。一覧でお確かめください。",
  INVALID_INPUT: "使えない文字が入っているため、記録されませんでした。文を短くするか、記号や絵文字を減らしてお試しください。",
};

export function refusalWords(error: unknown): string {
  const known = error instanceof ApiError ? REFUSALS[error.code] : undefined;
  return known ?? "回答は記録されませんでした。もう一度押してください。続くときは、事務局にご連絡ください。";
}
