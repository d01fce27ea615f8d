import type { BadgeTone } from "../../../kit/rows";

/** One thing that is asked of this person, whichever part of the product asks it. */
export interface MemberRequest {
  /** What it is, in one word for people: `イベント`. Together with `id` it is unique. */
  kind: string;
  id: number | string;
  title: string;
  date: string | null;
  /** What the date is, where it is not the day of the thing itself: `回答期限`. */
  dateLabel?: string;
  /** The address of its own screen, below the application's base. */
  link: string;
  state: RequestState;
}

export interface RequestState {
  label: string;
  tone: BadgeTone;
  /** Whether this person has still to answer. */
  unanswered: boolean;
  /** Whether it is too late to answer, as the server says. */
  over: boolean;
}

/** What each part of the product maps its items into. */
export interface RequestSource {
  /** The requests as last seen, so that going back to the list shows it at once; null before the first answer. */
  known(): MemberRequest[] | null;
  /** Asks the server; `known` has the result afterwards. */
  load(): Promise<void>;
  /** Calls back whenever `known` changes without `load`, such as by an answer that was sent. */
  subscribe(listener: () => void): () => void;
}

/** What is unanswered first, then by date (the last day to answer, where there is one); what is over comes last, the latest first. This is the server's order too. */
export function inOrder(requests: readonly MemberRequest[]): MemberRequest[] {
  const rank = ({ state }: MemberRequest): number => (state.over ? 2 : state.unanswered ? 0 : 1);
  return [...requests].sort((a, b) => rank(a) - rank(b) || (a.state.over ? byDate(b, a) : byDate(a, b)));
}

function byDate(a: MemberRequest, b: MemberRequest): number {
  // Parts write times with different offsets, so texts would compare wrongly.
  return instant(a) - instant(b) || String(a.id).localeCompare(String(b.id), "en", { numeric: true });
}

function instant({ date }: MemberRequest): number {
  return date === null ? 0 : Date.parse(date) || 0;
}
