import type { EventLine } from "./queries";

export interface Delivery {
  text: string;
  tone: "calm" | "busy" | "trouble";
}

/** What became of the invitations, in the words of the office: 配信 48/50・失敗1・不明1・送信中. */
export function deliveryOf({ push_stats, targets_total, waits_to_be_sent }: Pick<EventLine, "push_stats" | "targets_total" | "waits_to_be_sent">): Delivery {
  if (push_stats === null) return waits_to_be_sent ? { text: "送信待ち", tone: "busy" } : { text: "案内の送信なし", tone: "calm" };
  const { success, fail, unknown, pending } = push_stats;
  const count = (value: number) => value.toLocaleString("ja-JP");
  const parts = [`配信 ${count(success)}/${count(Math.max(targets_total, success + fail + unknown + pending))}`];
  if (fail > 0) parts.push(`失敗${count(fail)}`);
  if (unknown > 0) parts.push(`不明${count(unknown)}`);
  if (pending > 0) parts.push("送信中");
  return { text: parts.join("・"), tone: fail > 0 ? "trouble" : unknown + pending > 0 ? "busy" : "calm" };
}
