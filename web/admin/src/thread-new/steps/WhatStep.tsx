import { Field } from "../../event-new/Field";
import fields from "../../event-new/Field.module.css";
import { StepPanel } from "../../event-new/StepPanel";
import { oneLine } from "../../event-new/steps/BasicsStep";
import { lengthOf, LONGEST } from "../draft";
import { STEPS } from "../steps-of";
import type { StepProps } from "./step-props";

export function WhatStep({ draft, change, errors, next }: StepProps) {
  return (
    <StepPanel step={1} names={STEPS} lead="何の集まりの日程を決めるのかを入力します。" next={next}>
      <div className={fields.stack}>
        <Field id="title" label="題名" required error={errors.title} hint="例：臨時理事会" count={{ length: lengthOf(draft.title), max: LONGEST.title }}>
          {(aria) => <input {...aria} autoComplete="off" value={draft.title} onChange={(event) => change({ title: oneLine(event.currentTarget.value) })} />}
        </Field>
        <Field id="place" label="場所" error={errors.place} hint="例：本部 3階会議室。決まっていなければ、空けておけます。">
          {(aria) => <input {...aria} autoComplete="off" value={draft.place} onChange={(event) => change({ place: oneLine(event.currentTarget.value) })} />}
        </Field>
        <Field
          id="description"
          label="説明"
          error={errors.description}
          hint="議題や持ち物など。案内のメールと回答ページに載ります。"
          count={{ length: lengthOf(draft.description), max: LONGEST.description }}
        >
          {(aria) => <textarea {...aria} rows={5} value={draft.description} onChange={(event) => change({ description: event.currentTarget.value })} />}
        </Field>
      </div>
    </StepPanel>
  );
}
