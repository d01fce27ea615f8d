import { sandbox } from "../client/sandbox";
import type { Person } from "../client/types";
import { getState, update } from "./store";

const PAUSE_MS = 120;

export async function refreshPeople(): Promise<void> {
  update({ people: await sandbox.people() });
}

let refreshTimer: ReturnType<typeof setTimeout> | null = null;

export function refreshPeopleSoon(): void {
  refreshTimer ??= setTimeout(() => {
    refreshTimer = null;
    // The next event or the next reconnection brings what a failed refresh did not.
    refreshPeople().catch(() => {});
  }, PAUSE_MS);
}

const changes = new Map<string, Partial<Person>>();
let changeTimer: ReturnType<typeof setTimeout> | null = null;

/** A broadcast brings hundreds of events at once; the list of people is then rewritten once for all of them. */
export function changePersonSoon(userId: string, change: Partial<Person>): void {
  changes.set(userId, { ...changes.get(userId), ...change });
  changeTimer ??= setTimeout(() => {
    changeTimer = null;
    update({ people: getState().people.map((person) => ({ ...person, ...changes.get(person.user_id) })) });
    changes.clear();
  }, PAUSE_MS);
}

/** Puts a person into the list at once, at the end when new. */
export function putPerson(person: Person): void {
  const { people } = getState();
  const known = people.some((one) => one.user_id === person.user_id);
  const next = known ? people.map((one) => (one.user_id === person.user_id ? person : one)) : [...people, person];
  update({ people: next });
}
