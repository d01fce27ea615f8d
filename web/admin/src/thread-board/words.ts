import { type Board, type BoardPerson, type BoardSlot, peopleCount, type ThreadPreview } from "../threads/thread";

export interface Words {
  text: string;
  tone: "done" | "good" | "calm" | "bad" | "over";
}

/** How one slot stands, in words. */
export function slotWords(slot: BoardSlot, { evaluation, thread }: Pick<Board, "evaluation" | "thread">): Words {
  if (slot.slot_id === evaluation.final_slot_id) return { text: thread.status === "cancelled" ? "決定していました" : "この日に決まりました", tone: thread.status === "cancelled" ? "over" : "done" };
  if (thread.status === "finalized" || thread.status === "cancelled") return { text: "", tone: "over" };
  if (slot.begun) return { text: "過ぎました", tone: "over" };
  if (thread.status === "draft") return { text: "", tone: "calm" };
  if (slot.slot_id === evaluation.would_finalize_slot_id) return { text: evaluation.needs_maybe ? "△を入れれば、条件が揃っています" : "条件が揃っています", tone: "good" };
  if (slot.valid) return { text: "条件が揃っています", tone: "good" };
  if (!slot.possible) return { text: "もう条件が揃いません", tone: "bad" };
  return { text: slot.missing ?? "回答を待っています", tone: "calm" };
}

/** What several dates have in common is said once. Null: they differ, or there is nothing to say. */
export function commonText(texts: readonly string[]): string | null {
  const [first = ""] = texts;
  return texts.length > 1 && first !== "" && texts.every((text) => text === first) ? first : null;
}

/** How one person stands, in words. `telling`: whether it says something to name those who can change the outcome, because others cannot. */
export function personWords(person: BoardPerson, status: Board["thread"]["status"], telling = true): Words {
  if (person.status === "declined" || person.state === "declined") return { text: "どの日も行けません", tone: "over" };
  if (person.responded_at !== null) return { text: "回答済み", tone: "done" };
  if (status === "draft") return { text: "未送信", tone: "calm" };
  if (status !== "active") return { text: "未回答", tone: "over" };
  if (person.state === "lapsed") return { text: "期限までに回答がありません", tone: "bad" };
  return { text: person.can_change && telling ? "未回答（結果を左右します）" : "未回答", tone: "calm" };
}

/** After something was sent: it goes out one by one, and the card of the standing counts what is left. */
export function sendingText(people: number | null, what = ""): string {
  if (people === 0) return "LINEでもメールでも届く方がいません。電話してください。";
  return `${people === null ? "" : `${peopleCount(people)}への`}${what}送信を始めました。残りは「いまの状況」に出ます。`;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** When the newest invitation went out, if that is less than a day ago: nobody is reminded of what has just arrived. */
export function askedLately({ thread, people }: { thread: Pick<Board["thread"], "sent_at">; people: readonly Pick<BoardPerson, "delivery">[] }, now: number): string | null {
  const invited = people.flatMap(({ delivery }) => (delivery?.type === "invite" && delivery.state === "sent" ? [delivery.at] : []));
  const newest = [thread.sent_at, ...invited].filter((at) => at !== null).sort((one, other) => Date.parse(other) - Date.parse(one))[0];
  return newest !== undefined && now - Date.parse(newest) < DAY_MS ? newest : null;
}

/** After a reminder: who is told, and who may answer longer without being told of it. */
export function remindedText({ reminded, extended = [] }: { reminded: readonly string[]; extended?: readonly { invitee_key: string }[] }): string {
  const quiet = extended.filter(({ invitee_key }) => !reminded.includes(invitee_key)).length;
  const told = reminded.length === 0 ? "督促を送る方がいませんでした。" : sendingText(reminded.length, "督促の");
  return quiet === 0 ? told : `${told}${peopleCount(quiet)}の回答できる期間は、知らせずにのばしました。必要なときは、電話などでお知らせください。`;
}

/** How many people are still about to get the last message. */
export function waitingCount(people: readonly Pick<BoardPerson, "delivery">[]): number {
  return people.filter(({ delivery }) => delivery?.state === "waiting").length;
}

/** Whether somebody has to take up the telephone. */
export function needsCall({ delivery, status, call }: Pick<BoardPerson, "delivery" | "status"> & Partial<Pick<BoardPerson, "call">>): boolean {
  if (delivery === null || (call && call.done_at !== null)) return false;
  const unanswered = status === "pending" || status === "expired";
  return (delivery.state === "call" || delivery.state === "failed") && (unanswered || !["invite", "reminder"].includes(delivery.type));
}

/** Why no mail goes to this person, and what can be done about it. */
export function mailTrouble({ mail_stopped, mail_bounced }: Pick<BoardPerson, "mail_stopped" | "mail_bounced">): string | null {
  if (mail_stopped) return "配信停止中：ご本人が、この件のメールを止めました。ご本人だけが、回答リンクのページの「この件のメールを再開する」で戻せます。";
  if (mail_bounced) return "配信停止中：このアドレスへのメールが戻ってきました。正しいアドレスで招待し直すか、名簿を直してください。同じアドレスがまた使えるときは、技術者に「tsudoi mail forgive」を頼んでください。";
  return null;
}

export const VIA_NAMES: Record<NonNullable<BoardPerson["via"]>, string> = { link: "リンクから", line: "LINEから", office: "事務局が代理で" };

/** `参加する「遅れます」` */
export function lateText({ late }: Pick<BoardPerson, "late">): string {
  if (late === null) return "";
  return `${late.coming ? "参加する" : "参加しない"}${late.comment ? `「${late.comment}」` : ""}`;
}

const SKIPPED: Record<string, string> = {
  ANSWERED: "回答済み",
  DECLINED: "どの日も行けないと回答",
  EXPIRED: "回答期限切れ",
  CANNOT_CHANGE: "回答しても結果が変わらない",
  REMINDED_TODAY: "今日すでに督促した",
  UNREACHABLE: "LINEでもメールでも届かない",
  QUOTA: "LINEの上限に達していて、メールも届かない",
  UNKNOWN: "この日程調整にいない",
};

/** `回答済み 3人、今日すでに督促した 1人` */
export function skippedText(skipped: ThreadPreview["skipped"]): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${SKIPPED[reason] ?? "そのほか"} ${count.toLocaleString("ja-JP")}人`).join("、");
}

export type PeopleFilter = "all" | "open" | "call";

export function filtered(people: readonly BoardPerson[], filter: PeopleFilter): BoardPerson[] {
  if (filter === "open") return people.filter(({ responded_at }) => responded_at === null);
  return filter === "call" ? people.filter(needsCall) : [...people];
}

/** The slots that are most likely to be decided, in the order of time. */
export function promising(slots: readonly BoardSlot[], { final_slot_id, would_finalize_slot_id }: Board["evaluation"], most: number): BoardSlot[] {
  const rank = (slot: BoardSlot) =>
    slot.slot_id === final_slot_id ? 4 : slot.slot_id === would_finalize_slot_id ? 3 : slot.valid ? 2 : slot.possible && !slot.begun ? 1 : 0;
  const best = [...slots].sort((one, other) => rank(other) - rank(one) || other.yes - one.yes || other.maybe - one.maybe).slice(0, most);
  return slots.filter((slot) => best.includes(slot));
}
