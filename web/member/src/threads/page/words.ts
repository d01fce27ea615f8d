// What the screen says about an answer: the truth at every moment, in plain words.
import { ApiError } from "../../../../api/errors";
import { waitingWords } from "../../answers/words";
import type { ThreadSendState } from "../answers/thread-answers";

export interface Line {
  tone: "open" | "done" | "busy" | "warn" | "bad";
  text: string;
}

/** The line above the button that sends. */
export function lineFor(sendState: ThreadSendState, openCount: number, slotCount: number): Line {
  switch (sendState.kind) {
    case "sending":
      return { tone: "busy", text: "回答を送っています…" };
    case "waiting":
      return { tone: "warn", text: waitingWords(sendState.why) };
    case "refused":
      return { tone: "bad", text: refusalWords(sendState.error) };
    case "lapsed":
      return { tone: "warn", text: "前に送ろうとした回答は、送れないまま1日が過ぎました。内容を確かめて、もう一度送ってください。" };
    case "idle":
      return draftLine(openCount, slotCount);
  }
}

function draftLine(openCount: number, slotCount: number): Line {
  if (openCount === slotCount) return { tone: "open", text: "まだ選んでいません" };
  if (openCount > 0) return { tone: "open", text: `あと${openCount}つです。選ばない候補日は「×」として送ります。` };
  return { tone: "done", text: "まだ送っていません。よろしければ送ってください。" };
}

const REFUSALS: Record<string, string> = {
  INVITE_EXPIRED: "回答の期限を過ぎたため、記録されませんでした。回答したいときは、主催者にご連絡ください。",
  THREAD_FINALIZED: "日程が先に決まったため、この回答は記録されませんでした。",
  THREAD_CANCELLED: "この日程調整は中止になったため、回答は記録されませんでした。",
  UNKNOWN_SLOT: "候補日が変わったため、記録されませんでした。いまの候補日を確かめて、もう一度送ってください。",
  SLOT_PAST: "過ぎた候補日があるため、記録されませんでした。残りの候補日を確かめて、もう一度送ってください。",
  ONE_SLOT_ONLY: "選べる候補日は1つだけです。1つ選んで、もう一度送ってください。",
  INVITE_NOT_FOUND: "この日程調整が見つからないため、回答は記録されませんでした。一覧でお確かめください。",
  THREAD_NOT_FOUND: "この日程調整が見つからないため、回答は記録されませんでした。一覧でお確かめください。",
  INVALID_INPUT: "使えない文字が入っているため、記録されませんでした。ひとことを短くするか、記号や絵文字を減らしてお試しください。",
};

export function refusalWords(error: unknown): string {
  const known = error instanceof ApiError ? REFUSALS[error.code] : undefined;
  return known ?? "回答は記録されませんでした。もう一度送ってください。続くときは、主催者にご連絡ください。";
}
