import { type ErrorWords, errorWords } from "../../../kit/error-words";
import { LineUnavailable, NotInLine, TokenRefused } from "../identity/adapter";

export interface MemberErrorWords extends ErrorWords {
  /** What helps: trying again from here, coming in anew through LINE, or going to the list. */
  help: "retry" | "line" | "list";
}

/** The words for what LINE refuses; everything else that can happen to any request is said by the kit. */
export function memberErrorWords(error: unknown): MemberErrorWords {
  if (error instanceof NotInLine) {
    return {
      title: "LINEから開いてください",
      text: "このページは、LINEの中で開くとお使いいただけます。公式アカウントのトーク画面で、メニューやメッセージのリンクを押してください。",
      help: "line",
    };
  }
  if (error instanceof TokenRefused) {
    return {
      title: "LINEから開き直してください",
      text: "時間がたったため、ご本人の確認がとれなくなりました。この画面を閉じて、LINEのトーク画面からもう一度開いてください。",
      help: "line",
    };
  }
  if (error instanceof LineUnavailable) {
    return {
      title: "LINEにつながりません",
      text: "LINEの側で一時的に問題が起きているようです。少し待ってから、もう一度お試しください。",
      help: "retry",
    };
  }
  return { ...errorWords(error), help: "retry" };
}
