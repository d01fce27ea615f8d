import type { ThreadLine } from "../threads/thread";

export interface Tag {
  text: string;
  tone: "calm" | "done" | "look" | "over";
}

/** How a thread stands, in one word; those that wait for the office stand out. */
export function tagOf({ status, state }: Pick<ThreadLine, "status" | "state">): Tag {
  if (status === "draft") return { text: "下書き", tone: "over" };
  if (status === "cancelled") return { text: "中止", tone: "over" };
  if (status === "finalized") return { text: "決定", tone: "done" };
  if (state === "satisfied") return { text: "決定できます", tone: "look" };
  if (state === "impossible") return { text: "決まりません", tone: "look" };
  return { text: "回答待ち", tone: "calm" };
}
