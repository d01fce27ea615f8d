// What the results of a check mean in Japanese.
import type { Tone } from "../booking/Badge";
import type { CallsSearch } from "../calls/search";
import type { OutsideSystem } from "../shops/systems";
import type { Check, Results } from "./queries";

export const HEALTH: Record<Check["code"], { name: string; tone: Tone }> = {
  HEALTH_OK: { name: "すべて正常", tone: "good" },
  HEALTH_WARN: { name: "注意があります", tone: "warn" },
  HEALTH_ERROR: { name: "つながらないものがあります", tone: "bad" },
};

/** In the order in which the office looks at them; a system that is new to us comes last. */
const ORDER = ["stores", "chatwork", "sms", "line", "openai", "remotelock"];

export function inOrder(results: Results): [string, Results[string]][] {
  const place = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return Object.entries(results).sort(([one], [other]) => place(one) - place(other));
}

export function resultText({ message, latency_ms }: Results[string]): string {
  return latency_ms === null || latency_ms === undefined || latency_ms === 0 ? message : `${message}（${latency_ms.toLocaleString("ja-JP")}ミリ秒）`;
}

export function hasTrouble({ light }: OutsideSystem): boolean {
  return light === "fail" || light === "warn";
}

/** Where the calls to a system are found. SMS and the models have two providers each, so all calls are shown for them. */
export function callsTo(system: string): CallsSearch {
  if (system === "sms" || system === "models") return {};
  return { system: system === "email" ? "smtp" : system };
}
