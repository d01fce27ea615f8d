import { type Broadcast, peopleCount, type Push, type SendResult } from "../event";

export const KIND_NAMES: Record<Broadcast["kind"], string> = {
  invite: "招待",
  late: "追加の招待",
  reminder: "督促",
  change: "変更のお知らせ",
  cancel: "中止のお知らせ",
};

const DAY_MS = 24 * 60 * 60 * 1000;

type Sent = Pick<Broadcast, "kind" | "created_at" | "recipients" | "resendable">;

/** When the newest invitation went out, if that is less than a day ago: nobody is reminded of what has just arrived. */
export function invitedLately<B extends Sent>(broadcasts: readonly B[], now: number): string | null {
  const invited = broadcasts.filter(({ kind, recipients }) => (kind === "invite" || kind === "late") && recipients > 0).map(({ created_at }) => created_at);
  const newest = invited.reduce<string | null>((one, other) => (one === null || Date.parse(other) > Date.parse(one) ? other : one), null);
  return newest !== null && now - Date.parse(newest) < DAY_MS ? newest : null;
}

/** What the situation asks for. `resend`: the newest broadcast that LINE's limit kept from people; otherwise a reminder, but not of what went out today. */
export function nextStep<B extends Sent>(broadcasts: readonly B[] | undefined, now: number): { resend: B | null; remind: boolean } {
  const sent = (broadcasts ?? []).filter(({ recipients }) => recipients > 0);
  const resend = sent.find(({ resendable }) => resendable > 0) ?? null;
  return { resend, remind: resend === null && sent.length > 0 && invitedLately(sent, now) === null };
}

type Result = NonNullable<Push>;

/** `配信 48/50・失敗2`: how many messages were delivered, and the state of the others. */
export function summaryOf({ success, fail, unknown, pending }: Result): string {
  const total = success + fail + unknown + pending;
  const rest = [fail > 0 && `失敗${fail}`, unknown > 0 && `要確認${unknown}`, pending > 0 && `送信中${pending}`];
  return [`配信 ${success}/${total}`, ...rest.filter((part) => part !== false)].join("・");
}

export function toneOf({ fail, unknown, pending }: Result): "danger" | "warning" | "info" | "success" {
  if (fail > 0) return "danger";
  if (unknown > 0) return "warning";
  return pending > 0 ? "info" : "success";
}

/** The result of an action as text, for the notice at the top of the page. */
export function sendResultText(result: SendResult): string {
  const { push } = result;
  if (push === null || result.targets === 0) return "";
  if (push.pending > 0) return `${peopleCount(result.targets)}に送っています（${summaryOf(push)}）。このまま画面を閉じても、続けて送ります。`;
  if (push.success === 0) return `どなたにも届いたことを確かめられていません（${summaryOf(push)}）。くわしくは「送信の結果」をご覧ください。`;
  if (push.fail + push.unknown > 0) return `${peopleCount(result.targets)}のうち${peopleCount(push.success)}に送りました（${summaryOf(push)}）。くわしくは「送信の結果」をご覧ください。`;
  return `${peopleCount(result.targets)}に送りました。`;
}

export interface ProblemGroup {
  status: Broadcast["problems"][number]["status"];
  text: string;
  names: string[];
}

/** Groups the problems by reason, so that each reason is shown once with all names. */
export function groupProblems(problems: Broadcast["problems"]): ProblemGroup[] {
  const found = new Map<string, ProblemGroup>();
  for (const { status, reason_text, name } of problems) {
    const key = `${status} ${reason_text}`;
    const group = found.get(key) ?? { status, text: reason_text, names: [] };
    group.names.push(name);
    found.set(key, group);
  }
  return [...found.values()];
}
