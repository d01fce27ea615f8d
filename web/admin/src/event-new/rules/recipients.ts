import { matches, searchKey } from "../../../../api/search";
import type { Candidate, Member } from "../queries";

export interface Recipient {
  id: number;
  name: string;
  kana: string | null;
  /** The reason why an invitation cannot reach this person, as text; null when it can. */
  unreachableReason: string | null;
  /** LINE takes the message, and the person does not see it. */
  blocked: boolean;
}

const NO_LINE = "LINEと連携していません";
const NOT_TARGET = "配信の対象から外れています";
const WITHDRAWN = "退会しています";

/** The candidates in roster order, each with what is known about reaching them. */
export function recipientsOf(candidates: readonly Candidate[], members: readonly Member[]): Recipient[] {
  const known = new Map(members.map((member) => [member.id, member]));
  return candidates.map(({ member_id, name, kana }) => {
    const member = known.get(member_id);
    const unreachableReason = member === undefined ? null : reasonFor(member);
    return { id: member_id, name, kana, unreachableReason, blocked: unreachableReason === null && member?.reachable === false };
  });
}

function reasonFor(member: Member): string | null {
  if (member.withdrawn) return WITHDRAWN;
  if (!member.line_user_id_present) return NO_LINE;
  return member.is_target ? null : NOT_TARGET;
}

export function chosen(recipients: readonly Recipient[], excluded: ReadonlySet<number>): Recipient[] {
  return recipients.filter(({ id, unreachableReason }) => unreachableReason === null && !excluded.has(id));
}

/** Everybody of the chosen groups whom the message will not reach, each once: who cannot be chosen, and who is chosen in vain. */
export function notReached(
  recipients: readonly Recipient[],
  previewed: readonly { member_id: number; name: string; reason_text: string }[],
): { name: string; why: string }[] {
  const inVain = new Map(previewed.map(({ member_id, reason_text }) => [member_id, reason_text]));
  const known = new Set(recipients.map(({ id }) => id));
  const here = recipients.flatMap(({ id, name, unreachableReason }) => {
    const why = inVain.get(id) ?? unreachableReason;
    return why === null ? [] : [{ name, why }];
  });
  return [...here, ...previewed.filter(({ member_id }) => !known.has(member_id)).map(({ name, reason_text }) => ({ name, why: reason_text }))];
}

/** By name or by its reading. */
export function searchRecipients(recipients: readonly Recipient[], searchText: string): Recipient[] {
  const wanted = searchKey(searchText);
  return recipients.filter(({ name, kana }) => matches(wanted, name, kana));
}

/** The new list of who is unticked after some were ticked or unticked. */
export function excludedAfter(excluded: readonly number[], ids: readonly number[], ticked: boolean): number[] {
  const changed = new Set(ids);
  const others = excluded.filter((id) => !changed.has(id));
  return ticked ? others : [...others, ...changed];
}
