import { FieldError } from "../../event-new/Field";
import { StepPanel } from "../../event-new/StepPanel";
import { STEPS } from "../steps-of";
import { SlotPicker } from "../when/SlotPicker";
import classes from "../when/When.module.css";
import type { StepProps } from "./step-props";

export function WhenStep({ draft, change, errors, next, back }: StepProps) {
  return (
    <StepPanel
      step={2}
      names={STEPS}
      lead="候補の日時を選びます。多いほど決まりやすくなりますが、5個くらいまでが答えやすい数です。"
      back={back}
      next={next}
    >
      <p className={classes.error}>
        <FieldError>{errors.slots}</FieldError>
      </p>
      <SlotPicker slots={draft.slots} choose={(slots) => change({ slots })} invalid={errors.slots !== undefined} />
    </StepPanel>
  );
}
