import type { Step } from "../event-new/rules/field-errors";
import { deadlineOf, lengthOf, LONGEST, type ThreadDraft } from "./draft";
import { deadlineProblem } from "./how/deadline";
import { ruleProblem } from "./how/rule";
import { slotProblem } from "./when/slots";
import { parseAddresses, pastedProblem } from "./who/addresses";
import { MOST_SLOTS } from "../threads/thread";

export const STEPS = ["内容", "候補日", "声をかける人", "決め方", "確認して送る"] as const;

export type Field = "title" | "description" | "place" | "slots" | "people" | "pasted" | "rule" | "deadline_at" | "mail_subject";
export type Errors = Partial<Record<Field, string>>;

export const STEP_OF: Record<Field, Step> = {
  title: 1,
  description: 1,
  place: 1,
  slots: 2,
  people: 3,
  pasted: 3,
  rule: 4,
  deadline_at: 4,
  mail_subject: 5,
};

/** What is missing or wrong, in words. `people`: how many are asked; undefined while the server has not said so. */
export function draftErrors(draft: ThreadDraft, people: number | undefined, now: Date): Errors {
  const errors: Errors = {};
  const long = (field: "title" | "description" | "place", name: string) => {
    if (lengthOf(draft[field]) > LONGEST[field]) errors[field] = `${name}は${LONGEST[field].toLocaleString("ja-JP")}文字までです。短くしてください`;
  };
  if (lengthOf(draft.title) === 0) errors.title = "題名を入力してください";
  long("title", "題名");
  long("description", "説明");
  long("place", "場所");
  const past = draft.slots.filter((slot) => slotProblem(slot, now) !== null).length;
  if (draft.slots.length === 0) errors.slots = "候補日を1つ以上選んでください";
  else if (past > 0) errors.slots = `過ぎた候補日が${past}個あります。外してください`;
  else if (draft.slots.length > MOST_SLOTS) errors.slots = `候補日は${MOST_SLOTS}個までです`;
  const pasted = parseAddresses(draft.pasted);
  const problem = pastedProblem(pasted);
  if (problem !== null) errors.pasted = problem;
  if (people === 0 || (draft.audienceIds.length === 0 && draft.memberIds.length === 0 && pasted.people.length === 0)) {
    errors.people = "声をかける人を1人以上選んでください";
  }
  const rule = ruleProblem(draft.rule, people ?? 0);
  if (rule !== null) errors.rule = rule;
  const deadline = deadlineProblem(deadlineOf(draft, now), now);
  if (deadline !== null) errors.deadline_at = deadline;
  return errors;
}

export function errorsOf(errors: Errors, step: Step): Errors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => STEP_OF[field as Field] === step));
}

export function firstStepWith(errors: Errors): Step | null {
  const steps = (Object.keys(errors) as Field[]).map((field) => STEP_OF[field]);
  return steps.length === 0 ? null : (Math.min(...steps) as Step);
}
