import { formatDateTime } from "../../../api/times";
import { alarmsOf } from "../notices/alarms";
import type { NoticeSummary } from "../notices/queries";
import { type ThreadLine, titleOf } from "../threads/thread";
import type { Home, Overview, PromotedCall, Quota } from "./queries";

export interface Attention {
  key: string;
  tone: "danger" | "warning" | "info";
  title: string;
  text: string;
  /** Where something can be done about it; without one, it is for those who look after the system. */
  to: { event: number } | { thread: string } | { staff: string } | { ticket: number } | "waiting" | "friends" | "notices" | "tickets" | null;
}

interface Known {
  home: Home;
  overview: Overview | undefined;
  quota: Quota | undefined;
  /** Undefined where there is no booking, and until it is known. */
  notices?: NoticeSummary | undefined;
  /** The threads that people can answer now. Undefined where there is no scheduling, and until it is known. */
  threads?: ThreadLine[] | undefined;
  /** Whom to call about a seat from a waiting list. Undefined where there is no booking, and until it is known. */
  calls?: PromotedCall[] | undefined;
}

const RANK = { danger: 0, warning: 1, info: 2 };

/** What somebody in a hurry has to know, the worst first. An empty list is good news. */
export function attentionOf({ home, overview, quota, notices, threads, calls }: Known, now: Date = new Date()): Attention[] {
  const found = [...alarms(home), ...lineTrouble(overview), ...workTrouble(overview), ...noticeTrouble(notices, now), ...troubles(home), ...promoted(calls ?? []), ...waitingThreads(threads ?? [], now), ...inboxTrouble(overview), ...backupTrouble(overview), ...diskTrouble(overview), ...quotaTrouble(home, quota), ...friends(home)];
  return found.sort((one, other) => RANK[one.tone] - RANK[other.tone]);
}

/**
 * What the product has found by itself and what goes on; and tickets besides, which somebody has asked for. During an
 * update an older server may answer, which knows neither.
 */
function alarms({ alarms: open = [], tickets_open = 0 }: Home): Attention[] {
  const shown = open.map(({ title, since, ticket_id }): Attention => {
    const text = `${formatDateTime(new Date(since))} から続いています。だれに影響があり、何をすればよいかは、チケットで確かめてください。`;
    return { key: `alarm:${ticket_id}`, tone: "danger", title, text, to: { ticket: ticket_id } };
  });
  if (tickets_open === 0 || open.length > 0) return shown;
  return [{ key: "tickets", tone: "warning", title: `まだだれも対応していないチケットが${tickets_open.toLocaleString("ja-JP")}件あります`, text: "内容を見て、対応する人が「対応中にする」を押してください。", to: "tickets" }];
}

function lineTrouble(overview: Overview | undefined): Attention[] {
  if (!overview || overview.line.configured) return [];
  const text = "このままでは、LINEへの送信も、友だちの追加の受け取りもできません。システムの担当者に、LINE公式アカウントの接続設定を依頼してください。";
  return [{ key: "line", tone: "danger", title: "LINEとの接続が、まだ設定されていません", text, to: null }];
}

const MOST_LOOPS = 3;

function workTrouble(overview: Overview | undefined): Attention[] {
  if (overview && overview.work.silent_loops.length > 0) {
    const names = overview.work.silent_loops;
    const shown = names.slice(0, MOST_LOOPS).join("、") + (names.length > MOST_LOOPS ? " ほか" : "");
    const text = `予定された送信や、LINEから届いた知らせの処理が進みません。システムの担当者に、ワーカー（${shown}）の確認を依頼してください。`;
    return [{ key: "work:silent", tone: "danger", title: "送信などの処理が止まっています", text, to: null }];
  }
  if (overview && overview.work.late_since !== null) {
    const title = `${formatDateTime(new Date(overview.work.late_since))} から、送信などの処理が待たされています`;
    return [{ key: "work:late", tone: "warning", title, text: "しばらくしても変わらないときは、システムの担当者に確認を依頼してください。", to: null }];
  }
  return [];
}

function noticeTrouble(notices: NoticeSummary | undefined, now: Date): Attention[] {
  return notices ? alarmsOf(notices, now).map(({ key, tone, title, text }) => ({ key: `notices:${key}`, tone, title: `予約の通知：${title}`, text, to: "notices" })) : [];
}

const MOST_CALLS = 5;

/** Nobody else tells them that the seat is theirs. */
function promoted(calls: readonly PromotedCall[]): Attention[] {
  const shown = calls.slice(0, MOST_CALLS).map(({ id, name, text, why, person_key }): Attention => ({ key: `call:${id}`, tone: "warning", title: `電話してください：${name}さん`, text: `${text}（${why}）`, to: { staff: person_key.replace("u:staff:", "") } }));
  if (calls.length <= MOST_CALLS) return shown;
  return [...shown, { key: "call:more", tone: "warning", title: `電話してください：ほか${people(calls.length - MOST_CALLS)}`, text: "キャンセル待ちから予約になり、お知らせが届かない方です。", to: "notices" }];
}

function troubles(home: Home): Attention[] {
  return home.troubles.map((trouble) => {
    const { event_id, title, fail, unknown, pending } = trouble;
    if (trouble.cancelled && fail + unknown > 0) return cancellationTrouble(trouble);
    const parts = [];
    if (fail > 0) parts.push(`${people(fail)}に届きませんでした`);
    if (unknown > 0) parts.push(`${people(unknown)}は、届いたかどうか確かめられていません`);
    if (pending > 0) parts.push(`${people(pending)}に送信しているところです`);
    const text = fail + unknown > 0 ? "だれに届いていないかを見て、電話などでお知らせください。" : "そのままお待ちください。";
    return { key: `event:${event_id}`, tone: fail > 0 ? "danger" : unknown > 0 ? "warning" : "info", title: `「${title}」：${parts.join("。")}`, text, to: { event: event_id } };
  });
}

/** Whoever has not heard that it is cancelled stands before a locked door. */
function cancellationTrouble({ event_id, title, held_at, fail, unknown, kept_back, not_told }: Home["troubles"][number]): Attention {
  const others = fail + unknown - not_told.length;
  const names = `${not_told.map((name) => `${name}さん`).join("、")}${others > 0 ? ` ほか${people(others)}` : ""}`;
  const doubt = unknown === 0 ? "" : fail === 0 ? "（届いたかどうか確かめられていません）" : `（うち${people(unknown)}は、届いたかどうか確かめられていません）`;
  const resend = kept_back > 0 ? `LINEの今月の上限で送れなかった${people(kept_back)}には、通数が戻れば、イベントの画面の「送れなかった人に送る」で送れます。` : "";
  return {
    key: `event:${event_id}`,
    tone: "danger",
    title: `中止した「${title}」（${formatDateTime(new Date(held_at))}）：${people(fail + unknown)}に、中止が伝わっていないおそれがあります${doubt}`,
    text: `${names}。${resend}当日までに間に合わないときは、お電話でお知らせください。`,
    to: { event: event_id },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Threads that go on only when somebody of the office does something. */
function waitingThreads(threads: readonly ThreadLine[], now: Date): Attention[] {
  return threads.flatMap((thread): Attention[] => {
    const common = { key: `thread:${thread.id}`, text: thread.sentence, to: { thread: thread.id } };
    const name = `日程調整「${titleOf(thread)}」`;
    if (thread.state === "impossible") return [{ ...common, tone: "warning", title: `${name}：このままでは決まりません` }];
    if (thread.state === "satisfied") return [{ ...common, tone: "info", title: `${name}：条件が揃い、決定できます` }];
    const left = thread.deadline_at === null ? Number.NaN : Date.parse(thread.deadline_at) - now.getTime();
    if (thread.invites_total > 0 && thread.answered + thread.declined >= thread.invites_total) return [{ ...common, tone: "info", title: `${name}：全員の回答が揃いました` }];
    if (!(left < DAY_MS)) return [];
    const when = left > 0 ? "回答期限まで24時間を切りました" : "回答期限を過ぎました";
    return [{ ...common, tone: left > 0 ? "info" : "warning", title: `${name}：${when}` }];
  });
}

function inboxTrouble(overview: Overview | undefined): Attention[] {
  const found: Attention[] = [];
  if (overview && overview.inbox.failed > 0) {
    const text = "友だちの一覧に抜けがあるかもしれません。システムの担当者にお知らせください。";
    found.push({ key: "inbox:failed", tone: "danger", title: `LINEから届いた知らせ${overview.inbox.failed}件を、処理できませんでした`, text, to: null });
  }
  if (overview && overview.inbox.unknown > 0) {
    const title = `LINEから届いた知らせ${overview.inbox.unknown}件の処理が、終わったかどうか確かめられません`;
    found.push({ key: "inbox:unknown", tone: "warning", title, text: "システムの担当者に確認を依頼してください。", to: null });
  }
  return found;
}

function backupTrouble(overview: Overview | undefined): Attention[] {
  if (!overview?.backup.overdue) return [];
  const { last_at } = overview.backup;
  const title = last_at === null ? "バックアップが、まだ一度も作られていません" : `最後のバックアップは${formatDateTime(new Date(last_at))}です`;
  const text = "いまサーバーが壊れると、そのあとのデータは戻せません。システムの担当者に、毎日のバックアップを依頼してください。";
  return [{ key: "backup", tone: "warning", title, text, to: null }];
}

function diskTrouble(overview: Overview | undefined): Attention[] {
  if (!overview?.disk.low) return [];
  const title = `サーバーのディスクの空きが、あと${Math.floor(overview.disk.free_bytes / 1024 ** 2).toLocaleString("ja-JP")} MBです`;
  const text = "空きがなくなると、回答も予約も記録できません。システムの担当者に、不要なファイルの整理を依頼してください。";
  return [{ key: "disk", tone: "danger", title, text, to: null }];
}

function quotaTrouble(home: Home, quota: Quota | undefined): Attention[] {
  if (!quota?.known || quota.left === null || home.linked_members === 0 || quota.left >= home.linked_members) return [];
  if (quota.left === 0) {
    const text = "来月になると、また送れます。急ぐときは、LINE公式アカウントのプランの変更を検討してください。";
    return [{ key: "quota", tone: "danger", title: "今月は、もうLINEを送れません", text, to: null }];
  }
  const text = `連携している${people(home.linked_members)}の全員に送るには足りません。対象をしぼるか、プランの変更を検討してください。`;
  return [{ key: "quota", tone: "warning", title: `今月送れるLINEは、あと${quota.left.toLocaleString("ja-JP")}通です`, text, to: null }];
}

function friends(home: Home): Attention[] {
  const found: Attention[] = [];
  const { waiting_registrations: waiting } = home;
  if (waiting > 0) {
    const text = "LINEの中で名前を入力した方です。本人だとわかったら、会員と結び付けてください。";
    found.push({ key: "waiting", tone: "warning", title: `登録の確認を待っている方が${people(waiting)}います`, text, to: "waiting" });
  }
  if (home.unlinked_friends > waiting) {
    const text = "会員と結び付けると、案内を送れるようになります。";
    found.push({ key: "friends", tone: "info", title: `会員と連携していない友だちが${people(home.unlinked_friends - waiting)}います`, text, to: "friends" });
  }
  return found;
}

function people(count: number): string {
  return `${count.toLocaleString("ja-JP")}人`;
}
