// What the office has entered so far. It is kept in the browser until the thread is created.
import { newIdempotencyKey } from "../../../api/idempotency-key";
import type { Body } from "../../../api/shapes";
import { type DayAndTime, instantOf } from "../event-detail/times";
import { type ChosenSlot, wireSlot } from "../threads/slot-times";
import { suggestedDeadline } from "./how/deadline";
import { type GroupFacts, NEW_RULE, type RuleDraft, wireRule } from "./how/rule";
import { parseAddresses } from "./who/addresses";

export interface DraftFields {
  title: string;
  description: string;
  place: string;
  slots: ChosenSlot[];
  audienceIds: number[];
  memberIds: number[];
  /** Addresses, as they were pasted. */
  pasted: string;
  rule: RuleDraft;
  /** null: the suggestion, which follows the dates. */
  deadline: DayAndTime | null;
  decideAtDeadline: boolean;
  remind: boolean;
  maybe: boolean;
  visible: boolean;
  /** null: made of the title. */
  subject: string | null;
}

export interface ThreadDraft extends DraftFields {
  /** Sent as `Idempotency-Key`: however often the same draft is sent, it becomes one thread. */
  key: string;
  /** It was sent with this key, and perhaps arrived. The next change begins another key. */
  attempted: boolean;
}

export type NewThreadBody = Body<"/api/threads", "post">;

export const LONGEST = { title: 200, description: 5000, place: 200, subject: 200 } as const;

const BLANK: DraftFields = {
  title: "",
  description: "",
  place: "",
  slots: [],
  audienceIds: [],
  memberIds: [],
  pasted: "",
  rule: NEW_RULE,
  deadline: null,
  decideAtDeadline: false,
  remind: true,
  maybe: true,
  visible: false,
  subject: null,
};

export function newDraft(): ThreadDraft {
  return { key: newIdempotencyKey(), attempted: false, ...BLANK };
}

export function isBlank(draft: DraftFields): boolean {
  const names = Object.keys(BLANK) as (keyof DraftFields)[];
  return names.every((name) => JSON.stringify(draft[name]) === JSON.stringify(BLANK[name]));
}

/** A changed draft is another request. */
export function changed(draft: ThreadDraft, fields: Partial<DraftFields>): ThreadDraft {
  return { ...draft, ...fields, ...(draft.attempted ? { key: newIdempotencyKey(), attempted: false } : {}) };
}

export function subjectOf({ subject, title }: Pick<DraftFields, "subject" | "title">): string {
  return subject ?? `【日程のご相談】${title.trim()}`;
}

export function deadlineOf({ deadline, slots }: Pick<DraftFields, "deadline" | "slots">, now: Date): DayAndTime {
  return deadline ?? suggestedDeadline(slots, now);
}

/** Who is asked: only what there is, because an empty list would mean something else than none. */
export function wirePeople({ audienceIds, memberIds, pasted }: Pick<DraftFields, "audienceIds" | "memberIds" | "pasted">) {
  const invitees = parseAddresses(pasted).people;
  return {
    ...(audienceIds.length > 0 ? { audience_ids: audienceIds } : {}),
    ...(memberIds.length > 0 ? { member_ids: memberIds } : {}),
    ...(invitees.length > 0 ? { invitees } : {}),
  };
}

/** The thread as the API takes it. `people`: how many are asked. Nobody is told by it: sending is a request of its own. */
export function wireThread(draft: DraftFields, groups: readonly GroupFacts[], now: Date, people = 0, withRule = true): NewThreadBody {
  const deadline = instantOf(deadlineOf(draft, now));
  return {
    title: draft.title.trim(),
    ...(draft.description.trim() === "" ? {} : { description: draft.description.trim() }),
    ...(draft.place.trim() === "" ? {} : { place: draft.place.trim() }),
    ...(draft.slots.length === 0 ? {} : { slots: draft.slots.map(wireSlot) }),
    ...wirePeople(draft),
    ...(withRule ? { rule: wireRule(draft.rule, groups, people) } : {}),
    ...(deadline === null ? {} : { deadline_at: deadline }),
    decide_at_deadline: draft.decideAtDeadline,
    remind_before_deadline: draft.remind,
    maybe_allowed: draft.maybe,
    answers_visible: draft.visible,
    mail_subject: subjectOf(draft).slice(0, LONGEST.subject),
    send: false,
  } as NewThreadBody;
}

/** Characters as people and the server count them: an emoji is one. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}
