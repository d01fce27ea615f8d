import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import dialogs from "../members/Dialogs.module.css";
import { type TimeDraft, timesBetween } from "./draft";
import own from "./Slots.module.css";

interface TimesFieldsProps {
  times: TimeDraft[];
  change: (times: TimeDraft[]) => void;
  invalid: string | undefined;
}

/** The times of a day: one by one, or as many as fit between two times. */
export function TimesFields({ times, change, invalid }: TimesFieldsProps) {
  const put = (index: number, time: TimeDraft) => change(times.map((one, place) => (place === index ? time : one)));
  return (
    <fieldset className={classes.fieldset}>
      <legend>時間</legend>
      <Between fill={change} />
      <div className={own.rows}>
        {times.map((time, index) => (
          <div key={index} className={own.row}>
            <TextInput label={`${index + 1}つめの開始`} type="time" value={time.start} onChange={(event) => put(index, { ...time, start: event.currentTarget.value })} />
            <TextInput label="長さ（分）" inputMode="numeric" value={time.minutes} onChange={(event) => put(index, { ...time, minutes: event.currentTarget.value })} />
            <Button variant="subtle" aria-label={`${index + 1}つめの時間を消す`} onClick={() => change(times.filter((_, place) => place !== index))}>
              消す
            </Button>
          </div>
        ))}
      </div>
      {invalid && (
        <p className={dialogs.error} role="alert">
          {invalid}
        </p>
      )}
      <Button variant="default" size="sm" onClick={() => change([...times, { start: "", minutes: times.at(-1)?.minutes ?? "30" }])}>
        時間を加える
      </Button>
    </fieldset>
  );
}

function Between({ fill }: { fill: (times: TimeDraft[]) => void }) {
  const [first, setFirst] = useState("09:00");
  const [last, setLast] = useState("12:00");
  const [minutes, setMinutes] = useState("30");
  const times = timesBetween(first, last, minutes);
  return (
    <div className={classes.filters} style={{ margin: "0.375rem 0 0.75rem" }}>
      <TextInput label="最初の開始" type="time" value={first} onChange={(event) => setFirst(event.currentTarget.value)} />
      <TextInput label="最後の終わり" type="time" value={last} onChange={(event) => setLast(event.currentTarget.value)} />
      <TextInput label="何分ごと" inputMode="numeric" value={minutes} onChange={(event) => setMinutes(event.currentTarget.value)} />
      <Button variant="default" className={classes.natural} disabled={times.length === 0} onClick={() => fill(times)}>
        {times.length}つの時間にする
      </Button>
    </div>
  );
}
