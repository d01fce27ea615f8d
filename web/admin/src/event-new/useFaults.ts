import { type RefObject, useEffect, useState } from "react";
import type { DraftFields } from "./draft/draft";
import { type Faults, type Field, faultsOfStep, STEP_OF, type Step } from "./rules/faults";

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

/** Which faults are shown: those of a step that somebody tried to leave, and what the server refused until it changes. */
export function useFaults(faults: Faults, step: Step, panel: RefObject<HTMLElement | null>) {
  const [tried, setTried] = useState<ReadonlySet<Step>>(new Set());
  const [refused, setRefused] = useState<Faults>({});
  const [looking, setLooking] = useState(0);

  // The first wrong field is looked for after it was marked as wrong, on whichever step that is.
  useEffect(() => {
    if (looking > 0) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
  }, [looking, panel]);

  const shown = faultsOfStep({ ...refused, ...(tried.has(step) ? faults : {}) }, step);
  return {
    shown,
    /** True when the step may be left. */
    leave: (): boolean => {
      // Who can be reached is the roster's business: a refused list may be right by now without any change here.
      const standing = step < STEP_OF.target_member_ids ? refused : {};
      const free = Object.keys(faultsOfStep({ ...standing, ...faults }, step)).length === 0;
      if (free) setRefused(standing);
      else {
        setTried((before) => new Set(before).add(step));
        setLooking((count) => count + 1);
      }
      return free;
    },
    refuse: (given: Faults) => {
      setRefused(given);
      setTried((before) => new Set([...before, ...(Object.keys(given) as Field[]).map((field) => STEP_OF[field])]));
      setLooking((count) => count + 1);
    },
    /** What was refused has been changed, so the refusal no longer speaks of it. */
    touched: (names: (keyof DraftFields | "image" | "confirm_over_quota")[]) =>
      setRefused((before) => {
        const fields = names.map((name) => (name === "image" || name === "confirm_over_quota" ? name : FIELD_OF[name]));
        return Object.fromEntries(Object.entries(before).filter(([field]) => !fields.includes(field as Field)));
      }),
    forget: () => {
      setTried(new Set());
      setRefused({});
    },
  };
}
