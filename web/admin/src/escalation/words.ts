// What the rules of escalations mean in Japanese.
import { formatDateTime } from "../../../api/times";
import type { Tone } from "../booking/Badge";
import type { Channel, Rule } from "./queries";

export type Severity = Rule["severity"];

export const SEVERITIES: Record<Severity, { name: string; tone: Tone }> = {
  info: { name: "お知らせ", tone: "plain" },
  warn: { name: "注意", tone: "warn" },
  critical: { name: "重大", tone: "bad" },
};

/** A ticket may have been written with a severity that no rule has any more. */
export function severityOf(severity: string): { name: string; tone: Tone } {
  return (SEVERITIES as Record<string, { name: string; tone: Tone }>)[severity] ?? { name: severity, tone: "plain" };
}

export const CHANNEL_NAMES: Record<Channel, string> = { chatwork: "ChatWork", email: "メール", sms: "SMS" };
export const CHANNELS = Object.keys(CHANNEL_NAMES) as Channel[];

const TITLES: Record<string, string> = {
  API_ERROR_CRITICAL: "外部のサービスが続けて失敗したとき",
  STORES_AUTH_FAILED: "STORES予約がトークンを受け付けないとき",
  OUTAGE_MAIL: "メールを送れないとき",
  OUTAGE_LINE: "LINEに接続できないとき",
  OUTAGE_STRIPE: "Stripeに接続できないとき",
  OUTAGE_MODELS: "AIによる候補の提案が使えないとき",
};

/** The trouble belongs to no shop. */
export function concernsAll(code: string): boolean {
  return code.startsWith("OUTAGE_");
}

export function ruleTitle(code: string): string {
  return TITLES[code] ?? code;
}

export function isSnoozed({ snoozed_until }: Pick<Rule, "snoozed_until">, now: Date): boolean {
  return snoozed_until !== null && Date.parse(snoozed_until) > now.getTime();
}

/** What a rule does, in sentences. */
export function ruleText(rule: Rule, now: Date): string {
  const { active, channels, severity, fallback, quiet_hours, throttle_minutes, snoozed_until } = rule;
  if (!active || channels.length === 0) return "チケットを作るだけで、だれにも知らせません。";
  const names = channels.map((channel) => CHANNEL_NAMES[channel]);
  const how = fallback && names.length > 1 ? `${names.join("、")}の順に、届くまで知らせます。` : `${names.join("と")}に知らせます。`;
  const often = throttle_minutes === 0 ? "同じ問題でも、起きるたびに知らせます。" : `同じ問題は、${minutesText(throttle_minutes)}に1回までです。`;
  const night = channels.includes("sms") && quiet_hours && severity !== "critical" ? "夜（22時〜7時）は、SMSを送りません。" : "";
  const paused = isSnoozed(rule, now) ? `${formatDateTime(snoozed_until ?? "")}までは、チケットを作るだけです。そのあとは、` : "";
  return `${paused}${how}${often}${night}`;
}

function minutesText(minutes: number): string {
  return minutes % 60 === 0 ? `${minutes / 60}時間` : `${minutes}分`;
}

/** To whom the channels lead. */
export function recipientsText({ channels, chatwork_room_id, email_to, sms_to }: Rule): string {
  const places: Record<Channel, string | null> = {
    chatwork: chatwork_room_id === null ? "ChatWorkの、サーバーで決めたルーム" : `ChatWorkのルーム ${chatwork_room_id}`,
    email: email_to,
    sms: sms_to,
  };
  return channels.map((channel) => places[channel] ?? `${CHANNEL_NAMES[channel]}（宛先なし）`).join("、");
}
