// What tickets and the attempts of the channels mean in Japanese.
import { actorName } from "../audit/names";
import type { Tone } from "../booking/Badge";
import { CHANNEL_NAMES } from "../escalation/words";
import type { Attempt, Ticket, TicketDetail } from "./queries";

export const STATUSES: Record<Ticket["status"], { name: string; tone: Tone }> = {
  open: { name: "未対応", tone: "bad" },
  acknowledged: { name: "対応中", tone: "warn" },
  closed: { name: "完了", tone: "good" },
};

/** The trouble was over when it was last looked at. A ticket of before, which nothing has closed, waits for a person. */
export function hasRecovered({ all_clear_at, last_seen_at }: Pick<Ticket, "all_clear_at" | "last_seen_at">): boolean {
  return all_clear_at !== null && Date.parse(all_clear_at) >= Date.parse(last_seen_at);
}

const REASONS: Record<string, string> = {
  not_configured: "宛先か、サーバーの設定がありません",
  quiet_hours: "夜間（22時〜7時）のため",
  no_answer: "返事がありませんでした",
  internal: "サーバーの中で問題が起きました",
  MailRefused: "メールサーバーが受け付けませんでした",
  MailNotNow: "メールサーバーが、いまは受け付けませんでした",
  MailUnknown: "メールサーバーの返事がありませんでした",
  MailCalledOff: "時間内に送れませんでした",
};

export function reasonText(reason: string): string {
  const [, status] = /^status_(\d{3})$/.exec(reason) ?? [];
  return status ? `相手の返事は${status}でした` : (REASONS[reason] ?? reason);
}

const DONE: Record<Attempt["outcome"], { words: string; tone: Tone }> = {
  sent: { words: "に知らせました", tone: "good" },
  failed: { words: "には知らせられませんでした", tone: "bad" },
  unknown: { words: "に送りましたが、届いたか分かりません", tone: "warn" },
  skipped: { words: "には送りませんでした", tone: "plain" },
};

export interface Step {
  at: string;
  text: string;
  tone: Tone;
  detail: string | null;
}

export function attemptStep({ kind, channel, outcome, reason, attempted_at }: Attempt): Step {
  const { words, tone } = DONE[outcome];
  const what = kind === "all_clear" ? "復旧を、" : "";
  const why = reason === null ? null : reasonText(reason);
  return { at: attempted_at, text: `${what}${CHANNEL_NAMES[channel]}${words}`, tone, detail: outcome === "sent" && why !== null ? `届かなかった宛先があります：${why}` : why };
}

/** The product closes the ticket of a trouble that is over. */
const ITSELF = "system";

/** What happened to a ticket, in the order of time. Of two steps at the same moment, the one that came about first. */
export function stepsOf(ticket: TicketDetail): Step[] {
  const { opened_at, last_seen_at, occurrences, acknowledged_at, acknowledged_by, closed_at, closed_by } = ticket;
  const steps: Step[] = [{ at: opened_at, text: "問題が起き、チケットができました", tone: "bad", detail: null }, ...ticket.attempts.map(attemptStep)];
  if (occurrences > 1) steps.push({ at: last_seen_at, text: `同じ問題が起きました（これまでに${occurrences.toLocaleString("ja-JP")}回）`, tone: "bad", detail: null });
  if (acknowledged_at !== null) steps.push({ at: acknowledged_at, text: "対応中になりました", tone: "warn", detail: whoText(acknowledged_by) });
  if (closed_at !== null) steps.push({ at: closed_at, text: closed_by === ITSELF ? "復旧したため、自動で完了しました" : "完了しました", tone: "good", detail: closed_by === ITSELF ? null : whoText(closed_by) });
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

export function whoText(actor: string | null): string | null {
  return actor === null ? null : actorName(actor);
}

const DETAILS: Record<string, string> = {
  component: "部品",
  operation: "操作",
  last_status_code: "最後のステータス",
  failures: "連続した失敗",
  reason: "理由",
  code: "コード",
  error_code: "エラーコード",
  channel: "どこから",
  system: "相手",
  target: "相手",
};

/** What was written down when the trouble was seen last, as label and text. */
export function detailsOf({ details }: Pick<Ticket, "details">): [string, string][] {
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== "")
    .map(([key, value]) => [DETAILS[key] ?? key, typeof value === "object" ? JSON.stringify(value) : String(value)]);
}
