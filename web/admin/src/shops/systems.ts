// What the states of outside systems mean in Japanese.
import type { Answer } from "../../../api/shapes";
import { formatDateTime } from "../../../api/times";
import type { Tone } from "../booking/Badge";

export type OutsideSystem = Answer<"/api/admin/shops">["systems"][number];
export type LightState = OutsideSystem["light"];

export const LIGHTS: Record<LightState, { name: string; tone: Tone }> = {
  ok: { name: "正常", tone: "good" },
  warn: { name: "注意", tone: "warn" },
  fail: { name: "異常", tone: "bad" },
  unknown: { name: "未確認", tone: "plain" },
  stub: { name: "未接続", tone: "plain" },
};

const SYSTEMS: Record<string, string> = {
  stores: "STORES予約",
  chatwork: "ChatWork",
  sms: "SMS",
  email: "メール",
  line: "LINE",
  openai: "OpenAI",
  stripe: "Stripe",
  models: "AI（候補の提案）",
  remotelock: "RemoteLOCK",
};

export function systemName(system: string): string {
  return SYSTEMS[system] ?? system;
}

/** What calls to a system meet while it is paused, or null while they go through as usual. */
export function pauseText({ breaker, open_until }: Pick<OutsideSystem, "breaker" | "open_until">): string | null {
  if (breaker === "open") return open_until === null ? "一時停止中" : `一時停止中（再開の予定 ${formatDateTime(open_until)}）`;
  return breaker === "half_open" ? "再開を確認中（次の1回で試します）" : null;
}

/** They are called all the time, and nothing is written down until a call fails. */
const UNCOUNTED = ["email", "line"];

/** Why a light is as it is, in a sentence. */
export function lightText({ system, light, failures_in_a_row, last_success_at, last_failure_at }: OutsideSystem): string {
  if (light === "stub") return "この製品とは、まだつながっていません。";
  if (light === "unknown") return UNCOUNTED.includes(system) ? "失敗した記録はありません。" : "まだ一度も呼び出していません。";
  const worked = last_success_at === null ? "成功した記録はまだありません。" : `最後の成功 ${formatDateTime(last_success_at)}`;
  if (light === "ok") return worked;
  const failed = failures_in_a_row > 0 ? `${failures_in_a_row}回続けて失敗` : "最後の呼び出しに失敗";
  return last_failure_at === null ? `${failed}・${worked}` : `${failed}（${formatDateTime(last_failure_at)}）・${worked}`;
}
