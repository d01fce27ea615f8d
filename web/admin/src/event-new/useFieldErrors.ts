import { type RefObject, useEffect, useState } from "react";
import type { DraftFields } from "./draft/draft";
import { focusInvalid } from "./focus-invalid";
import { type FieldErrors, type Field, errorsOfStep, STEP_OF, type Step } from "./rules/field-errors";

const FIELD_OF: Partial<Record<keyof DraftFields, Field>> = {
  title: "title",
  date: "held_at",
  time: "held_at",
  body: "body",
  memo: "extra_text_label",
  memoLabel: "extra_text_label",
  everybody: "audiences",
  audienceIds: "audiences",
  excluded: "target_member_ids",
};

/** Decides which errors are shown: those of a step that the person tried to leave, and the server's until the field is changed. */
export function useFieldErrors(draftErrors: FieldErrors, step: Step, panel: RefObject<HTMLElement | null>) {
  const [triedSteps, setTriedSteps] = useState<ReadonlySet<Step>>(new Set());
  const [serverErrors, setServerErrors] = useState<FieldErrors>({});
  const [focusRequests, setFocusRequests] = useState(0);

  // An effect, because the first invalid field can only be found after it is drawn as invalid.
  useEffect(() => {
    if (focusRequests > 0) focusInvalid(panel.current);
  }, [focusRequests, panel]);

  const errors = errorsOfStep({ ...serverErrors, ...(triedSteps.has(step) ? draftErrors : {}) }, step);
  return {
    errors,
    /** Returns true when the step has no errors; otherwise it shows them. */
    checkStep: (): boolean => {
      // An error about the recipients may be gone without a change in this form, because the roster has changed.
      const remaining = step < STEP_OF.target_member_ids ? serverErrors : {};
      const valid = Object.keys(errorsOfStep({ ...remaining, ...draftErrors }, step)).length === 0;
      if (valid) setServerErrors(remaining);
      else {
        setTriedSteps((before) => new Set(before).add(step));
        setFocusRequests((count) => count + 1);
      }
      return valid;
    },
    showServerErrors: (given: FieldErrors) => {
      setServerErrors(given);
      setTriedSteps((before) => new Set([...before, ...(Object.keys(given) as Field[]).map((field) => STEP_OF[field])]));
      setFocusRequests((count) => count + 1);
    },
    /** A field that has been changed no longer has the server's error. */
    clearServerErrors: (names: (keyof DraftFields | "image" | "confirm_over_quota")[]) =>
      setServerErrors((before) => {
        const fields = names.map((name) => (name === "image" || name === "confirm_over_quota" ? name : FIELD_OF[name]));
        return Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field as Field)));
      }),
    reset: () => {
      setTriedSteps(new Set());
      setServerErrors({});
    },
  };
}
