import { lengthOf, MAX_LENGTH } from "../draft/draft";
import { Field } from "../Field";
import classes from "../Field.module.css";
import { errorText } from "../rules/error-texts";
import { StepPanel } from "../StepPanel";
import { HeldAt } from "./HeldAt";
import { Memo } from "./Memo";
import type { StepProps } from "./step-props";

export function BasicsStep({ editor, change, errors, next }: StepProps) {
  const { draft } = editor;
  return (
    <StepPanel step={1} lead="イベントの名前と日時、LINEで送る文章を入力します。" next={next}>
      <div className={classes.stack}>
        <Field
          id="title"
          label="タイトル"
          required
          error={errorText("title", errors.title)}
          hint="例：理事会9月"
          count={{ length: lengthOf(draft.title), max: MAX_LENGTH.title }}
        >
          {(aria) => (
            <input
              {...aria}
              autoComplete="off"
              value={draft.title}
              onChange={(event) => change({ title: oneLine(event.currentTarget.value) })}
            />
          )}
        </Field>
        <HeldAt draft={draft} change={change} error={errorText("held_at", errors.held_at)} />
        <Field
          id="body"
          label="本文"
          error={errorText("body", errors.body)}
          hint="最初の行には、タイトルと日時が入ります。回答ページへのリンクは、本文のあとに自動で付きます。"
          count={{ length: lengthOf(draft.body), max: MAX_LENGTH.body }}
        >
          {(aria) => (
            <textarea
              {...aria}
              rows={5}
              value={draft.body}
              onChange={(event) => change({ body: event.currentTarget.value })}
            />
          )}
        </Field>
        <Memo draft={draft} change={change} error={errorText("extra_text_label", errors.extra_text_label)} />
      </div>
    </StepPanel>
  );
}

/** Text pasted from a sheet brings tabs along, which a title cannot hold. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ");
}
