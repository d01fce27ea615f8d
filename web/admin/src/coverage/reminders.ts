import { peopleCount } from "../event-detail/event";
import type { Reminder, ReminderQueued } from "./queries";

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
