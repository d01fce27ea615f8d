import type { WebhookAnswer } from "./types";

const REASONS: Record<string, string> = {
  request_timeout: "2秒以内に本体から返事がありませんでした。",
  could_not_connect: "本体につながりませんでした。本体が動いているか確かめてください。",
  webhook_url_not_set: "本体の Webhook の宛先が決まっていません。",
};

/** What to tell the person at the phone when the product did not take an event; null when all went well. */
export function webhookTrouble(answer: WebhookAnswer | null | undefined): string | null {
  if (!answer) return null;
  if (typeof answer.status !== "number") return REASONS[answer.error ?? ""] ?? "本体から返事がありませんでした。";
  if (answer.status >= 200 && answer.status < 300) return null;
  return `本体が受け取れませんでした（HTTP ${answer.status}）。`;
}
