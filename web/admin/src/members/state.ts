import { matches, searchKey } from "../../../api/search";
import type { Member } from "./queries";

export const SHOWN = ["present", "linked", "unlinked", "blocked", "untargeted", "withdrawn"] as const;
export type Shown = (typeof SHOWN)[number];

export const SHOWN_NAMES: Record<Shown, string> = {
  present: "在籍",
  linked: "連携済み",
  unlinked: "未連携",
  blocked: "届かない",
  untargeted: "配信対象外",
  withdrawn: "退会",
};

export type LinkState = "linked" | "notAdded" | "blocked" | "unlinked";

export const LINK_NAMES: Record<LinkState, string> = { linked: "連携済み", notAdded: "友だち未追加", blocked: "ブロック", unlinked: "未連携" };

export function linkState(member: Member): LinkState {
  if (!member.line_user_id_present) return "unlinked";
  if (member.reachable) return "linked";
  // Nobody has ever heard of them, so they have never added the account.
  return member.last_contact_at === null ? "notAdded" : "blocked";
}

/** Who left stands under 退会 alone: the other lists are about whom the office can still write to. */
export function belongs(member: Member, shown: Shown): boolean {
  if (member.withdrawn || shown === "withdrawn") return member.withdrawn && shown === "withdrawn";
  if (shown === "present") return true;
  if (shown === "untargeted") return member.is_target === 0;
  // Whom LINE does not reach is linked all the same.
  if (shown === "linked") return member.line_user_id_present;
  return shown === "blocked" ? member.line_user_id_present && !member.reachable : linkState(member) === shown;
}

export function countsOf(members: readonly Member[]): Record<Shown, number> {
  const counts = { present: 0, linked: 0, unlinked: 0, blocked: 0, untargeted: 0, withdrawn: 0 };
  for (const member of members) for (const shown of SHOWN) if (belongs(member, shown)) counts[shown] += 1;
  return counts;
}

/** By the name on the roster, its reading, the name on LINE, or the number of the member. */
export function isFound(member: Member, wanted: string): boolean {
  return matches(wanted, member.name, member.kana, member.line_display_name) || String(member.id) === wanted;
}

export function found(members: readonly Member[], shown: Shown, searchText: string): Member[] {
  const wanted = searchKey(searchText);
  return members.filter((member) => belongs(member, shown) && isFound(member, wanted));
}
