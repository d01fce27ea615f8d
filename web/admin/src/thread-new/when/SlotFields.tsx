import { Button } from "@mantine/core";
import { useState } from "react";
import { today } from "../../booking/days";
import { FieldError } from "../../event-new/Field";
import fields from "../../event-new/Field.module.css";
import inputs from "../../events-list/Input.module.css";
import { type ChosenSlot, chosenText, durationText } from "../../threads/slot-times";
import { slotProblem } from "./slots";
import classes from "./When.module.css";

const DURATIONS = [30, 60, 90, 120, 180, 240, 480];

interface SlotFieldsProps {
  minutes: number;
  setMinutes: (minutes: number) => void;
  add: (slots: ChosenSlot[]) => void;
  invalid: boolean;
}

/** The same as painting, with the keyboard: a date, a time and a length. */
export function SlotFields({ minutes, setMinutes, add, invalid }: SlotFieldsProps) {
  const [date, setDate] = useState("");
  const [start, setStart] = useState("14:00");
  const [problem, setProblem] = useState<string | null>(null);
  const slot = { date, start, minutes };
  const ready = slotProblem(slot, new Date()) === null;
  const submit = () => {
    const found = slotProblem(slot, new Date());
    setProblem(found);
    if (found === null) add([slot]);
  };
  // Enter inside a form would lead to the next step.
  const onEnter = (event: React.KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    submit();
  };
  const wrong = problem !== null && !ready;
  return (
    <fieldset className={classes.fields}>
      <legend>日付と時刻を入れて追加する</legend>
      <div className={classes.fieldRow}>
        <div>
          <label htmlFor="slot-date">日付</label>
          <input
            id="slot-date"
            className={inputs.input}
            type="date"
            min={today()}
            max="9999-12-31"
            value={date}
            aria-invalid={wrong}
            data-invalid={invalid || undefined}
            aria-describedby="slot-fields-foot"
            onChange={(event) => setDate(event.currentTarget.value)}
            onKeyDown={onEnter}
          />
        </div>
        <div>
          <label htmlFor="slot-start">開始時刻</label>
          <input id="slot-start" className={inputs.input} type="time" step={300} value={start} onChange={(event) => setStart(event.currentTarget.value)} onKeyDown={onEnter} />
        </div>
        <div>
          <label htmlFor="slot-minutes">長さ</label>
          <select id="slot-minutes" className={inputs.input} value={minutes} onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
            {DURATIONS.map((choice) => (
              <option key={choice} value={choice}>
                {durationText(choice)}
              </option>
            ))}
          </select>
        </div>
        <Button variant="default" size="md" onClick={submit}>
          候補に追加
        </Button>
      </div>
      <div className={fields.foot} id="slot-fields-foot">
        <FieldError>{wrong ? (problem ?? undefined) : undefined}</FieldError>
        {!wrong && <span>{ready ? chosenText(slot) : "曜日は、日付を入れるとここに出ます。"}</span>}
      </div>
    </fieldset>
  );
}
