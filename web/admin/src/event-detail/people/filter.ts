import type { Person, Status } from "../event";

export type Shown = Status | "all";

export const FILTERS: { value: Shown; label: string }[] = [
  { value: "all", label: "全部" },
  { value: "attend", label: "出席" },
  { value: "absent", label: "欠席" },
  { value: "pending", label: "未回答" },
];

/** Spaces, width and case are typed differently by everybody, and katakana stands for hiragana. */
export function searchable(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, "")
    .replace(/[ァ-ヶ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));
}

/** In the order given, which is the roster's. */
export function filtered<P extends Pick<Person, "name" | "status">>(people: P[], shown: Shown, words: string): P[] {
  const wanted = searchable(words);
  if (shown === "all" && wanted === "") return people;
  return people.filter((person) => (shown === "all" || person.status === shown) && isNamed(person.name, wanted));
}

export function isNamed(name: string, wanted: string): boolean {
  return wanted === "" || searchable(name).includes(wanted);
}
