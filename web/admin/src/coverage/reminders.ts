import { peopleCount } from "../event-detail/event";
import type { Reminder, ReminderPreview, ReminderQueued } from "./queries";

type Reached = Pick<ReminderPreview, "recipientsTotal" | "unreachableTotal">;

/** `まだの950人のうち1人に送る`: the button promises whom it reaches. */
export function sendText({ recipientsTotal, unreachableTotal }: Reached): string {
  const all = peopleCount(recipientsTotal + unreachableTotal);
  return unreachableTotal === 0 ? `まだの${all}に送る` : `まだの${all}のうち${peopleCount(recipientsTotal)}に送る`;
}

/** `LINEで1人、メールで2人に送ります`: only the ways that somebody gets it by. */
export function waysText({ line, mail }: Pick<ReminderPreview["byChannel"], "line" | "mail">): string {
  const ways = [line > 0 && `LINEで${peopleCount(line)}`, mail > 0 && `メールで${peopleCount(mail)}`].filter((part) => part !== false);
  return `${ways.join("、")}に送ります`;
}

/** `送信 10／11人・予約済みなどで見送り1人`: only what there is. */
export function resultText({ sent, recipients, failed, unknown, pending, skipped }: Pick<Reminder, "sent" | "recipients" | "failed" | "unknown" | "pending" | "skipped">): string {
  const rest = [
    failed > 0 && `失敗${peopleCount(failed)}`,
    unknown > 0 && `届いたか不明${peopleCount(unknown)}`,
    pending > 0 && `送信中${peopleCount(pending)}`,
    skipped > 0 && `予約済みなどで見送り${peopleCount(skipped)}`,
  ].filter((part) => part !== false);
  return [`送信 ${sent.toLocaleString("ja-JP")}／${peopleCount(recipients)}`, ...rest].join("・");
}

/** What the notice on top of the page says after a reminder was ordered. */
export function queuedText({ recipients, keptBack }: Pick<ReminderQueued, "recipients" | "keptBack">): string {
  const told = `${peopleCount(recipients - keptBack)}に送っています。このまま画面を閉じても、続けて送ります。`;
  return keptBack > 0 ? `${told}${peopleCount(keptBack)}は、今月の上限のため送りません。` : told;
}
