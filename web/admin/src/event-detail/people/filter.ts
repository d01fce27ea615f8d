import { matches, searchKey } from "../../../../api/search";
import type { Person, Status } from "../event";

export type StatusFilter = Status | "all";

export const FILTERS: { value: StatusFilter; label: string }[] = [
  { value: "all", label: "全部" },
  { value: "attend", label: "出席" },
  { value: "absent", label: "欠席" },
  { value: "pending", label: "未回答" },
];

type Searched = Pick<Person, "member_id" | "name" | "status">;

/** The people with this status whose name or reading contains the search text. The order of the list stays, which is the roster's. */
export function filtered<P extends Searched>(
  people: P[],
  filter: StatusFilter,
  searchText: string,
  readings: ReadonlyMap<number, string | null> = new Map(),
): P[] {
  const wanted = searchKey(searchText);
  if (filter === "all" && wanted === "") return people;
  return people.filter(
    ({ member_id, name, status }) => (filter === "all" || status === filter) && matches(wanted, name, readings.get(member_id)),
  );
}
