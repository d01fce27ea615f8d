import type { EventLine } from "./queries";

export interface Delivery {
  text: string;
  tone: "calm" | "busy" | "trouble";
}

/** What became of the invitations, in the words of the office: 配信 48/50・失敗2. */
export function deliveryOf({ push_stats, targets_total }: Pick<EventLine, "push_stats" | "targets_total">): Delivery {
  if (push_stats === null) return { text: "送信待ち", tone: "busy" };
  const { success, fail } = push_stats;
  const count = (value: number) => value.toLocaleString("ja-JP");
  const open = Math.max(0, targets_total - success - fail);
  const parts = [`配信 ${count(success)}/${count(Math.max(targets_total, success + fail))}`];
  if (fail > 0) parts.push(`失敗${count(fail)}`);
  if (open > 0) parts.push(`未確定${count(open)}`);
  return { text: parts.join("・"), tone: fail > 0 ? "trouble" : open > 0 ? "busy" : "calm" };
}
