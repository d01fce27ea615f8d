import type { EventDetail, Person } from "../event";

/** An answer in the stream; after a reconnect the same one may come twice. */
export interface LiveAnswer {
  id: number;
  member_id: number;
  status: "attend" | "absent";
  extra_text: string | null;
  responded_at: string;
  via: "liff" | "admin";
}

/** The JSON of each `data:` line. `reload`: only in `snapshot`. */
export interface LiveUpdate extends Pick<EventDetail, "targets_total" | "counts" | "push" | "push_stats"> {
  event: Pick<EventDetail, "title" | "held_at" | "updated_at" | "sequence"> & { cancelled: boolean };
  answers: LiveAnswer[];
  reload?: boolean | null;
}

export function parseUpdate(value: unknown): LiveUpdate | null {
  return Array.isArray((value as LiveUpdate | null)?.answers) ? (value as LiveUpdate) : null;
}

export type Answers = ReadonlyMap<number, LiveAnswer>;

/** The rows of the last load, with the answers that came since. Rows without a new answer stay the same objects. */
export function withAnswers(people: Person[], answers: Answers): Person[] {
  if (answers.size === 0) return people;
  return people.map((person) => {
    const answer = answers.get(person.member_id);
    if (answer === undefined || isOlder(answer, person) || isSame(answer, person)) return person;
    const { status, extra_text, responded_at, via } = answer;
    return { ...person, status, extra_text, responded_at, via };
  });
}

/** Times are exact to the second. Within one second the stream is right, because it sends the answers in order. */
function isOlder(answer: LiveAnswer, person: Person): boolean {
  return person.responded_at !== null && Date.parse(answer.responded_at) < Date.parse(person.responded_at);
}

function isSame(answer: LiveAnswer, person: Person): boolean {
  return (
    answer.status === person.status &&
    answer.extra_text === person.extra_text &&
    answer.responded_at === person.responded_at &&
    answer.via === person.via
  );
}
