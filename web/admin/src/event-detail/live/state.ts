import { countsOf, type EventDetail, type Push, sameCounts } from "../event";
import { type Answers, type LiveAnswer, type LiveUpdate, withAnswers } from "./update";

export interface LiveState {
  /** The newest answer of everybody who answered since the page was opened. */
  answers: Answers;
  /** The members whose rows are highlighted at the moment. */
  highlighted: ReadonlySet<number>;
  /** What became of the invitations; undefined while the stream has not said so. */
  push: Push | undefined;
}

export type LiveAction =
  | { type: "updated"; update: LiveUpdate }
  | { type: "lost" }
  | { type: "faded"; members: readonly number[] }
  | { type: "reloaded"; before: Answers };

export const INITIAL_STATE: LiveState = { answers: new Map(), highlighted: new Set(), push: undefined };

export function liveReducer(state: LiveState, action: LiveAction): LiveState {
  switch (action.type) {
    case "updated":
      return withUpdate(state, action.update);
    case "lost":
      // What the stream said last may be out of date by now; the next load is not.
      return { ...state, push: undefined };
    case "faded":
      return { ...state, highlighted: new Set([...state.highlighted].filter((member) => !action.members.includes(member))) };
    case "reloaded":
      return { ...state, answers: withoutOld(state.answers, action.before) };
  }
}

function withUpdate(state: LiveState, update: LiveUpdate): LiveState {
  const added = newAnswers(state.answers, update.answers);
  if (added.length === 0) return { ...state, push: update.push };
  const answers = new Map(state.answers);
  for (const answer of added) answers.set(answer.member_id, answer);
  const highlighted = new Set([...state.highlighted, ...added.map((answer) => answer.member_id)]);
  return { answers, highlighted, push: update.push };
}

/** Those that did not come before. */
export function newAnswers(known: Answers, received: readonly LiveAnswer[]): LiveAnswer[] {
  return received.filter((answer) => (known.get(answer.member_id)?.id ?? 0) < answer.id);
}

/** Without the answers that a complete load already contains. */
function withoutOld(answers: Answers, before: Answers): Answers {
  return new Map([...answers].filter(([member, answer]) => before.get(member) !== answer));
}

/** Whether the people or the event itself have changed in a way that the stream does not spell out. */
export function needsReload(shown: EventDetail, answers: Answers, update: LiveUpdate): boolean {
  if (update.reload === true) return true;
  if (update.event.sequence !== shown.sequence || update.event.cancelled !== (shown.cancelled_at !== null)) return true;
  if (update.targets_total !== shown.current_status.length) return true;
  // After a reconnect, what was missed follows right behind the snapshot.
  return update.reload !== false && !sameCounts(update.counts, countsOf(withAnswers(shown.current_status, answers)));
}
