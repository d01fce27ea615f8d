import type { Answer } from "../../../api/shapes";

export type ThreadLine = Answer<"/api/threads">["threads"][number];
export type Board = Answer<"/api/threads/{thread_id}">;
export type BoardSlot = Board["slots"][number];
export type BoardPerson = Board["people"][number];
export type Mark = "yes" | "maybe" | "no";
export type ThreadPreview = Answer<"/api/threads/{thread_id}/preview", "post">;
export type CreationPreview = Answer<"/api/threads/preview", "post">;
export type HistoryEntry = Answer<"/api/threads/{thread_id}/history">["entries"][number];
export type Suggested = Answer<"/api/threads/suggestions", "post">["candidates"][number];

export const MOST_SLOTS = 50;
export const MOST_PEOPLE = 500;

/** What happens to those for whom LINE's monthly limit leaves nothing. */
export const BEYOND_LIMIT = "LINEで送れない方には、メールで送ります。メールも使えない方には届かないため、電話などでお知らせください。";

export const STATUS_NAMES: Record<ThreadLine["status"], string> = {
  active: "回答を待っています",
  draft: "下書き",
  finalized: "決定",
  cancelled: "中止",
};

export const MARKS: Record<Mark, string> = { yes: "○", maybe: "△", no: "×" };
/** For screen readers, which read the signs in many ways. */
export const MARK_NAMES: Record<Mark, string> = { yes: "行ける", maybe: "調整すれば行ける", no: "行けない" };

/** `1,234人`: people are always counted in the same way. */
export function peopleCount(count: number): string {
  return `${count.toLocaleString("ja-JP")}人`;
}

/** A title is never empty in our own rows, but rows of other programs may have none. */
export function titleOf({ title }: { title: string | null }): string {
  return title?.trim() || "（題名なし）";
}

/** `山田、佐藤、鈴木 ほか5人`. */
export function namesInShort(people: readonly { name: string }[], most = 5): string {
  const first = people.slice(0, most).map(({ name }) => name).join("、");
  return people.length > most ? `${first} ほか${peopleCount(people.length - most)}` : first;
}
