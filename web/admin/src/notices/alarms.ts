// What is wrong with the sending of notices, for the home screen and for the page of the notices. Pure.
import { jstMilliseconds } from "../../../api/times";
import { actorName } from "../audit/names";
import type { NoticeSummary } from "./queries";
import { count, reasonText } from "./words";

export interface Alarm {
  key: "stalled" | "failing" | "missing" | "quota" | "failed" | "paused" | "dry-run";
  tone: "danger" | "warning";
  title: string;
  text: string;
}

const LONGEST_REST_MS = 10 * 60_000;
const SEVERAL = 3;

/** The worst first. Nothing is sent at all while it is paused or in a dry run, and then nothing else can be said. */
export function alarmsOf(summary: NoticeSummary, now: Date): Alarm[] {
  const held = [...dryRun(summary), ...paused(summary)];
  return [...(held.length > 0 ? held : [...stalled(summary, now), ...failing(summary)]), ...missing(summary), ...failed(summary)];
}

function dryRun({ dry_run }: NoticeSummary): Alarm[] {
  if (!dry_run) return [];
  const text = "設定 NOTIFICATION_CRON_DRY_RUN により、予約についての連絡（通知と、まだ予約していない人への案内。LINEとメール）を送りません。送信待ちのまま残ります。送るには、システムの担当者に設定の変更を依頼してください。";
  return [{ key: "dry-run", tone: "warning", title: "試し運転（ドライラン）中です", text }];
}

function paused({ paused: pause }: NoticeSummary): Alarm[] {
  if (pause === null) return [];
  const text = `${pause.since} に${actorName(pause.by)}さんが停止しました（理由：${pause.reason}）。再開するまで、予約の通知と、まだ予約していない人への案内は、送信待ちのまま残ります（LINEとメール）。`;
  return [{ key: "paused", tone: "warning", title: "通知を停止中です", text }];
}

function stalled({ last_run, oldest_due }: NoticeSummary, now: Date): Alarm[] {
  const rested = last_run === null ? Infinity : now.getTime() - jstMilliseconds(last_run);
  if (oldest_due === null || rested < LONGEST_REST_MS) return [];
  const last = last_run === null ? "まだ一度も動いていません。" : `最後に動いたのは ${last_run} です。`;
  const text = `${last}${oldest_due} から送信を待っている通知があります。`;
  return [{ key: "stalled", tone: "danger", title: "送信処理が10分以上動いていません", text }];
}

function failing({ failures_in_a_row, causes }: NoticeSummary): Alarm[] {
  // The monthly limit has an alarm of its own, which says what to do about it.
  if (failures_in_a_row < SEVERAL || causes[0]?.reason === "QUOTA") return [];
  const why = reasonText(causes[0]?.reason ?? null);
  const text = `${why === null ? "" : `多い理由は「${why}」です。`}下の一覧で理由を確かめ、直ってから再送してください。急ぐ方には、電話などでお知らせください。`;
  return [{ key: "failing", tone: "danger", title: `送信が${failures_in_a_row}回つづけて失敗しています`, text }];
}

function missing({ counts }: NoticeSummary): Alarm[] {
  if (counts.NONE === 0) return [];
  const text = "本人に電話などで知らせ、システムの担当者に予約番号を伝えてください。";
  return [{ key: "missing", tone: "danger", title: `あるはずの通知が${count(counts.NONE)}見つかりません`, text }];
}

/** Only appointments that are still ahead are counted: what failed for an old one can no longer be mended. */
function failed({ causes, quota }: NoticeSummary): Alarm[] {
  const limit = causes.find(({ reason }) => reason === "QUOTA");
  const others = causes.filter(({ reason }) => reason !== "QUOTA").reduce((sum, cause) => sum + cause.count, 0);
  const found: Alarm[] = [];
  if (limit) {
    const left = quota === null ? "今月の残りは、いま確かめられません。" : quota.left === null ? "いまは上限がありません。" : `今月の残りは${count(quota.left, "通")}です。`;
    const text = `${left}上限が戻るか、プランを変えてから、まとめて再送できます。急ぐ方には、電話などでお知らせください。`;
    found.push({ key: "quota", tone: "danger", title: `今月の上限に達して、これからの予約の通知${count(limit.count)}を送れませんでした`, text });
  }
  if (others > 0) {
    const text = "理由を確かめて再送するか、電話などでお知らせください。";
    found.push({ key: "failed", tone: "warning", title: `これからの予約で、送れなかった通知が${count(others)}あります`, text });
  }
  return found;
}
