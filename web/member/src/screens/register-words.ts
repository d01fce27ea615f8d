import { ApiError } from "../../../api/errors";
import { formatRemaining } from "../../../api/times";
import { LineUnavailable, TokenRefused } from "../identity/adapter";

const LONGEST_NAME = 50;

/** What is wrong with a typed name before anybody is asked; empty when nothing is. */
export function nameTrouble(name: string): string {
  const length = [...name.trim()].length;
  if (length === 0) return "お名前を入れてください。";
  return length > LONGEST_NAME ? `お名前は${LONGEST_NAME}文字までです。` : "";
}

export function isUnknownName(error: unknown): boolean {
  return error instanceof ApiError && error.code === "NO_MATCH";
}

/** What happened and what to do, without saying who is on the roster. */
export function registerTrouble(error: unknown): string {
  if (error instanceof TokenRefused) return "時間がたったため、ご本人の確認がとれなくなりました。LINEのトーク画面から、もう一度開いてください。";
  if (error instanceof LineUnavailable) return "LINEにつながりません。少し待ってから、もう一度押してください。";
  if (!(error instanceof ApiError)) return "送れませんでした。電波のよい場所で、もう一度押してください。";
  if (isUnknownName(error)) {
    return "名簿に同じお名前が見つかりませんでした。漢字や、旧字・新字の違い（髙と高など）をお確かめください。わからないときは、事務局にご連絡ください。";
  }
  if (error.status === 429) return `何度も試されたため、いまは受け付けられません。${wait(error)}もう一度お試しください。`;
  if (error.status === 400) return "使えない文字が入っているようです。お名前をお確かめください。";
  return "いま登録できませんでした。少し待ってから、もう一度押してください。";
}

function wait({ retryAfterSeconds }: ApiError): string {
  return retryAfterSeconds ? `${formatRemaining(retryAfterSeconds)}たってから、` : "しばらくたってから、";
}
