import { searchKey } from "../../../api/search";
import type { Member } from "../members/queries";

export interface Changes {
  added: number[];
  removed: number[];
}

export function changesOf(before: ReadonlySet<number>, after: ReadonlySet<number>): Changes {
  return { added: [...after].filter((id) => !before.has(id)), removed: [...before].filter((id) => !after.has(id)) };
}

export function isChanged({ added, removed }: Changes): boolean {
  return added.length + removed.length > 0;
}

/** What somebody changed here, applied to what the group is now: two people at work do not undo each other. */
export function merged(now: readonly number[], { added, removed }: Changes): number[] {
  const gone = new Set(removed);
  return [...new Set([...now, ...added])].filter((id) => !gone.has(id));
}

/** `+3人・−1人`, with what is zero left out. */
export function inShort({ added, removed }: Changes): string {
  const parts = [];
  if (added.length > 0) parts.push(`+${added.length.toLocaleString("ja-JP")}人`);
  if (removed.length > 0) parts.push(`−${removed.length.toLocaleString("ja-JP")}人`);
  return parts.join("・");
}

export interface Candidate {
  id: number;
  name: string;
  /** Name and reading as they are searched, folded once and not with every letter that is typed. */
  keys: string[];
  mark: "退会" | "未連携" | null;
}

/** Everybody in roster order. Who left is shown only while still in the group, to be taken out. */
export function candidatesOf(members: readonly Member[], before: ReadonlySet<number>): Candidate[] {
  return members
    .filter((member) => !member.withdrawn || before.has(member.id))
    .map(({ id, name, kana, withdrawn, line_user_id_present }) => ({
      id,
      name,
      keys: [searchKey(name), searchKey(kana ?? "")],
      mark: withdrawn ? "退会" : line_user_id_present ? null : "未連携",
    }));
}

/** `only`: those who were ticked when 「ONだけ表示」 was pressed; a row does not vanish under the mouse that unticks it. */
export function shownOf(candidates: Candidate[], searchText: string, only: ReadonlySet<number> | null): Candidate[] {
  const wanted = searchKey(searchText);
  if (wanted === "" && only === null) return candidates;
  return candidates.filter(({ id, keys }) => keys.some((key) => key.includes(wanted)) && (only === null || only.has(id)));
}

export function ticking(ticked: ReadonlySet<number>, ids: readonly number[], on: boolean): Set<number> {
  const next = new Set(ticked);
  for (const id of ids) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}
