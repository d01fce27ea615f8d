import { countsOf, type EventDetail, type Push, sameCounts } from "../event";
import { type Answers, type LiveAnswer, type LiveNews, withAnswers } from "./news";

export interface LiveState {
  phase: "connecting" | "live" | "lost";
  /** The newest answer of everybody who answered since the page was opened. */
  answers: Answers;
  /** Whose rows are softly lit at the moment. */
  fresh: ReadonlySet<number>;
  /** What became of the invitations; undefined until the stream has said so. */
  push: Push | undefined;
}

export type LiveAction =
  | { type: "news"; news: LiveNews }
  | { type: "lost" }
  | { type: "faded"; members: readonly number[] }
  | { type: "reloaded"; before: Answers };

export const NOTHING_HEARD: LiveState = { phase: "connecting", answers: new Map(), fresh: new Set(), push: undefined };

export function liveReducer(state: LiveState, action: LiveAction): LiveState {
  switch (action.type) {
    case "news":
      return heard(state, action.news);
    case "lost":
      // What the stream said last may be out of date by now; the next load is not.
      return state.phase === "lost" ? state : { ...state, phase: "lost", push: undefined };
    case "faded":
      return { ...state, fresh: new Set([...state.fresh].filter((member) => !action.members.includes(member))) };
    case "reloaded":
      return { ...state, answers: withoutOld(state.answers, action.before) };
  }
}

function heard(state: LiveState, news: LiveNews): LiveState {
  const told = newAnswers(state.answers, news.answers);
  if (told.length === 0) return { ...state, phase: "live", push: news.push };
  const answers = new Map(state.answers);
  for (const answer of told) answers.set(answer.member_id, answer);
  const fresh = new Set([...state.fresh, ...told.map((answer) => answer.member_id)]);
  return { phase: "live", answers, fresh, push: news.push };
}

/** Those that were not told before. */
export function newAnswers(known: Answers, told: readonly LiveAnswer[]): LiveAnswer[] {
  return told.filter((answer) => (known.get(answer.member_id)?.id ?? 0) < answer.id);
}

/** What a complete load has caught up with is laid over it no longer. */
function withoutOld(answers: Answers, before: Answers): Answers {
  return new Map([...answers].filter(([member, answer]) => before.get(member) !== answer));
}

/** Whether the people or the event itself have changed in a way that the stream does not spell out. */
export function needsReload(shown: EventDetail, answers: Answers, news: LiveNews): boolean {
  if (news.reload === true) return true;
  if (news.event.sequence !== shown.sequence || news.event.cancelled !== (shown.cancelled_at !== null)) return true;
  if (news.targets_total !== shown.current_status.length) return true;
  // While the stream catches up, what was missed follows right behind the snapshot.
  return news.reload !== false && !sameCounts(news.counts, countsOf(withAnswers(shown.current_status, answers)));
}
