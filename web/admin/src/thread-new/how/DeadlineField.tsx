import { Button } from "@mantine/core";
import { FieldError } from "../../event-new/Field";
import fields from "../../event-new/Field.module.css";
import { type DayAndTime, instantOf, withWeekday } from "../../event-detail/times";
import inputs from "../../events-list/Input.module.css";
import type { ChosenSlot } from "../../threads/slot-times";
import { deadlineChoices, deadlineWarning } from "./deadline";
import classes from "./How.module.css";

interface DeadlineFieldProps {
  at: DayAndTime;
  /** It is the suggestion, which nobody has touched. */
  suggested?: boolean;
  slots: readonly ChosenSlot[];
  change: (at: DayAndTime) => void;
  error: string | undefined;
}

export function DeadlineField({ at, suggested = false, slots, change, error }: DeadlineFieldProps) {
  const now = new Date();
  const wrong = error !== undefined;
  const instant = instantOf(at);
  const warning = deadlineWarning(at, slots, now);
  return (
    <fieldset className={fields.when}>
      <legend className={fields.label}>
        回答期限
        {suggested && <span className={classes.suggested}>おすすめ</span>}
      </legend>
      <div className={fields.whenFields}>
        <div>
          <label htmlFor="deadline-date">期限の日</label>
          <input id="deadline-date" className={inputs.input} type="date" max="9999-12-31" aria-invalid={wrong} aria-describedby="deadline-foot" value={at.date} onChange={(event) => change({ ...at, date: event.currentTarget.value })} />
        </div>
        <div>
          <label htmlFor="deadline-time">期限の時刻</label>
          <input id="deadline-time" className={inputs.input} type="time" aria-invalid={wrong} aria-describedby="deadline-foot" value={at.time} onChange={(event) => change({ ...at, time: event.currentTarget.value })} />
        </div>
      </div>
      <div className={fields.foot} id="deadline-foot">
        <FieldError>{error}</FieldError>
        {!wrong && <span>{instant === null ? "" : `${withWeekday(instant)} まで答えられます。`}</span>}
      </div>
      {warning !== null && !wrong && <p className={classes.warning}>{warning}</p>}
      <div className={classes.quick}>
        {deadlineChoices(slots, now).map((choice) => (
          <Button key={choice.label} variant="default" size="xs" onClick={() => change(choice.at)}>
            {choice.label}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
