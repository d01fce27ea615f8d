import { lengthOf, LONGEST } from "../draft/draft";
import { Field } from "../Field";
import classes from "../Field.module.css";
import { words } from "../rules/reasons";
import { StepPanel } from "../StepPanel";
import { HeldAt } from "./HeldAt";
import { Memo } from "./Memo";
import type { StepProps } from "./shared";

export function BasicsStep({ desk, change, shown, next }: StepProps) {
  const { draft } = desk;
  return (
    <StepPanel step={1} lead="イベントの名前と日時、LINEで送る文章を入力します。" next={next}>
      <div className={classes.stack}>
        <Field
          id="title"
          label="タイトル"
          required
          error={words("title", shown.title)}
          hint="例：理事会9月"
          count={{ now: lengthOf(draft.title), most: LONGEST.title }}
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
        <HeldAt draft={draft} change={change} error={words("held_at", shown.held_at)} />
        <Field
          id="body"
          label="本文"
          error={words("body", shown.body)}
          hint="回答ページへのリンクは、本文のあとに自動で付きます。"
          count={{ now: lengthOf(draft.body), most: LONGEST.body }}
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
        <Memo draft={draft} change={change} error={words("extra_text_label", shown.extra_text_label)} />
      </div>
    </StepPanel>
  );
}

/** Text pasted from a sheet brings tabs along, which a title cannot hold. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ");
}
