// What a call to an outside system was, in Japanese.
import type { Tone } from "../booking/Badge";
import { systemName } from "../shops/systems";
import type { Call } from "./queries";

const TARGETS: Record<string, string> = { twilio: "SMS（Twilio）", karaden: "SMS（空電プッシュ）", smtp: "メール", gemini: "Gemini", stripe: "Stripe", sheets: "Googleスプレッドシート" };
const CHANNELS: Record<string, string> = { help: "お客さまのページ", line: "LINE", shop: "店舗", ai: "AI・点検", cron: "自動" };

export function targetName(target: string): string {
  return TARGETS[target] ?? systemName(target);
}

export function channelName(channel: string): string {
  return CHANNELS[channel] ?? channel;
}

export function hasWorked({ status_code, error }: Call): boolean {
  return error === null && status_code !== null && status_code < 400;
}

export function resultOf(call: Call): { name: string; tone: Tone } {
  if (hasWorked(call)) return { name: call.status_code === null ? "成功" : `成功（${call.status_code}）`, tone: "good" };
  return call.status_code === null ? { name: "返事なし", tone: "bad" } : { name: `失敗（${call.status_code}）`, tone: "bad" };
}

export function durationText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds}ミリ秒` : `${(milliseconds / 1000).toFixed(1)}秒`;
}
