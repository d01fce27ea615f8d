import { type Draft, lengthOf, MAX_LENGTH } from "../draft/draft";
import type { Picture } from "../draft/picture-store";
import { heldAtError } from "./held-at";

export const STEPS = ["基本情報", "画像", "配信先", "受信者の確認", "確認して送信"] as const;
export type Step = 1 | 2 | 3 | 4 | 5;
export type Field = "title" | "held_at" | "body" | "extra_text_label" | "image" | "audiences" | "target_member_ids" | "confirm_over_quota";
export type FieldErrors = Partial<Record<Field, string>>;

/** Where each field stands, so that whoever is told about it can be led there. */
export const STEP_OF: Record<Field, Step> = {
  title: 1,
  held_at: 1,
  body: 1,
  extra_text_label: 1,
  image: 2,
  audiences: 3,
  target_member_ids: 4,
  confirm_over_quota: 5,
};

/** What is missing or wrong, by the same reasons as the server's. Who is chosen is judged where the people are known. */
export function draftErrors(draft: Draft, picture: Picture | null | undefined, now: Date): FieldErrors {
  const errors: FieldErrors = {};
  if (lengthOf(draft.title) === 0) errors.title = "REQUIRED";
  else if (lengthOf(draft.title) > MAX_LENGTH.title) errors.title = "TOO_LONG";
  const heldAt = heldAtError(draft.date, draft.time, now);
  if (heldAt !== null) errors.held_at = heldAt;
  if (lengthOf(draft.body) > MAX_LENGTH.body) errors.body = "TOO_LONG";
  if (draft.memo && lengthOf(draft.memoLabel) > MAX_LENGTH.memoLabel) errors.extra_text_label = "TOO_LONG";
  if (picture === null) errors.image = "REQUIRED";
  if (!draft.everybody && draft.audienceIds.length === 0) errors.audiences = "REQUIRED";
  return errors;
}

export function errorsOfStep(errors: FieldErrors, step: Step): FieldErrors {
  const entries = (Object.entries(errors) as [Field, string][]).filter(([field]) => STEP_OF[field] === step);
  return Object.fromEntries(entries);
}

export function firstStepWithErrors(errors: FieldErrors): Step | null {
  const steps = (Object.keys(errors) as Field[]).map((field) => STEP_OF[field]);
  return steps.length === 0 ? null : (Math.min(...steps) as Step);
}

/** Nobody gets past a step that is not finished, by the address bar either. */
export function furthestStep(errors: FieldErrors): Step {
  return firstStepWithErrors(errors) ?? 5;
}
