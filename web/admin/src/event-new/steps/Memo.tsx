import { Checkbox, Switch } from "@mantine/core";
import { type Draft, type DraftFields, lengthOf, MAX_LENGTH } from "../draft/draft";
import { Field } from "../Field";
import classes from "../Field.module.css";
import { oneLine } from "./BasicsStep";

interface MemoProps {
  draft: Draft;
  change: (fields: Partial<DraftFields>) => void;
  error: string | undefined;
}

export function Memo({ draft, change, error }: MemoProps) {
  return (
    <div className={classes.memo}>
      <Switch
        label="メモ欄をつける"
        description="会員が回答するときに、1行の文章を書けるようにします。"
        size="md"
        checked={draft.memo}
        onChange={(event) => change({ memo: event.currentTarget.checked })}
      />
      {draft.memo && (
        <div className={classes.memoFields}>
          <Field
            id="memo-label"
            label="メモ欄の名前"
            error={error}
            hint="空欄のときは「備考」になります。"
            count={{ length: lengthOf(draft.memoLabel), max: MAX_LENGTH.memoLabel }}
          >
            {(aria) => (
              <input
                {...aria}
                autoComplete="off"
                value={draft.memoLabel}
                onChange={(event) => change({ memoLabel: oneLine(event.currentTarget.value) })}
              />
            )}
          </Field>
          <Checkbox
            label="出席の人だけが書けるようにする"
            size="md"
            checked={draft.memoAttendOnly}
            onChange={(event) => change({ memoAttendOnly: event.currentTarget.checked })}
          />
        </div>
      )}
    </div>
  );
}
