import { matches, searchKey } from "../../api/search";
import type { Person } from "../client/types";

export type PeopleFilter = "all" | "shown" | "unread" | "strangers" | "blocked";

export interface PeopleQuery {
  search: string;
  filter: PeopleFilter;
}

export function findPeople(
  people: Person[],
  query: PeopleQuery,
  shown: ReadonlySet<string>,
  unread: (person: Person) => number,
): Person[] {
  const wanted = searchKey(query.search);
  return people.filter((person) => {
    if (!matches(wanted, person.display_name)) return false;
    if (query.filter === "shown") return shown.has(person.user_id);
    if (query.filter === "unread") return unread(person) > 0;
    if (query.filter === "strangers") return !person.following && !person.blocked;
    return query.filter === "all" || person.blocked;
  });
}

export function friendshipLabel(person: Person): string {
  if (person.blocked) return "ブロック中";
  return person.following ? "友だち" : "まだ友だちではありません";
}

export interface Span {
  first: number;
  last: number;
}

/** Which rows of a long list are in sight, with a few more on either side; `last` is exclusive. */
export function rowsInSight(total: number, rowHeight: number, scrolled: number, height: number, margin = 6): Span {
  const first = Math.max(0, Math.floor(scrolled / rowHeight) - margin);
  const last = Math.min(total, Math.ceil((scrolled + height) / rowHeight) + margin);
  return { first: Math.min(first, last), last };
}
