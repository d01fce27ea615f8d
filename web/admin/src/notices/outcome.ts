import type { ResendResult } from "./ResendManyDialog";
import { count } from "./words";

/** What became of a decision about many notices, with each reason once. */
export function outcomeText({ queued, refused }: Pick<ResendResult, "queued" | "refused">): string {
  const reasons = new Map<string, number>();
  for (const { message } of refused) reasons.set(message, (reasons.get(message) ?? 0) + 1);
  const told = queued > 0 ? `${count(queued)}を送信待ちにしました。次の送信から順に送ります。` : "再送できる通知はありませんでした。";
  return [told, ...[...reasons].map(([message, number]) => `${count(number)}は再送していません：${message}`)].join("");
}
