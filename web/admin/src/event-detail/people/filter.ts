import { matches, searchKey } from "../../../../api/search";
import type { Person, Status } from "../event";

export type Shown = Status | "all";

export const FILTERS: { value: Shown; label: string }[] = [
  { value: "all", label: "全部" },
  { value: "attend", label: "出席" },
  { value: "absent", label: "欠席" },
  { value: "pending", label: "未回答" },
];

/** In the order given, which is the roster's. */
export function filtered<P extends Pick<Person, "name" | "status">>(people: P[], shown: Shown, words: string): P[] {
  const wanted = searchKey(words);
  if (shown === "all" && wanted === "") return people;
  return people.filter((person) => (shown === "all" || person.status === shown) && matches(wanted, person.name));
}
