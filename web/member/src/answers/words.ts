import type { WaitReason } from "./retry";

/** Why an answer has not been sent yet, and what happens next. */
export function waitingWords(why: WaitReason): string {
  if (why === "login") return "まだ送れていません。LINEのトーク画面からこのページを開き直すと、自動的に送ります。";
  if (why === "server") return "まだ送れていません。サーバーが混み合っているため、自動的に送り直します。";
  return "まだ送れていません。電波の良い所で自動的に送り直します。";
}
