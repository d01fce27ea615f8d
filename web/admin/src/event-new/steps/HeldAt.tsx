import inputs from "../../events-list/Input.module.css";
import type { Draft, DraftFields } from "../draft/draft";
import { FieldError, Required } from "../Field";
import classes from "../Field.module.css";
import { offeredDays, heldAtText } from "../rules/held-at";

interface HeldAtProps {
  draft: Draft;
  change: (fields: Partial<DraftFields>) => void;
  error: string | undefined;
}

/** The browser's own fields: they know the keyboard, the calendar and the office's habits. */
export function HeldAt({ draft, change, error }: HeldAtProps) {
  const wrong = error !== undefined;
  const { min, max } = offeredDays(new Date());
  const common = { className: inputs.input, "aria-required": true, "aria-describedby": "held-at-foot" } as const;
  // With one of the two missing, that one is where the work is.
  const dateWrong = wrong && (draft.date === "" || draft.time !== "");
  const timeWrong = wrong && draft.time === "";
  return (
    <fieldset className={classes.when}>
      <legend className={classes.label}>
        開催日時
        <Required />
      </legend>
      <div className={classes.whenFields}>
        <div>
          <label htmlFor="held-date">開催日</label>
          <input
            {...common}
            id="held-date"
            type="date"
            min={min}
            max={max}
            aria-invalid={dateWrong}
            value={draft.date}
            onChange={(event) => change({ date: event.currentTarget.value })}
          />
        </div>
        <div>
          <label htmlFor="held-time">開始時刻</label>
          <input
            {...common}
            id="held-time"
            type="time"
            aria-invalid={timeWrong}
            value={draft.time}
            onChange={(event) => change({ time: event.currentTarget.value })}
          />
        </div>
      </div>
      <div className={classes.foot} id="held-at-foot">
        <FieldError>{error}</FieldError>
        {!wrong && <span aria-live="polite">{heldAtText(draft.date, draft.time) ?? "曜日は、日付を入れるとここに出ます。"}</span>}
      </div>
    </fieldset>
  );
}
