import { Button, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import classes from "../booking/Booking.module.css";
import { addDays, isDay, today, weekdayName } from "../booking/days";
import { type FieldErrors, serverErrors } from "../booking/forms";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { sharedDraft, sharedErrors, sharedFields, type TimeDraft, timeError, timeFields } from "./draft";
import { SharedFields } from "./SharedFields";
import own from "./Slots.module.css";
import { TimesFields } from "./TimesFields";
import type { BulkBody } from "./usePlan";

interface BulkFormProps {
  date: string | undefined;
  type: number | undefined;
  preview: (body: BulkBody) => void;
  busy: boolean;
  error: unknown;
}

const WEEK = [1, 2, 3, 4, 5, 6, 7];

export function BulkForm({ date, type, preview, busy, error }: BulkFormProps) {
  const [from, setFrom] = useState(date ?? addDays(today(), 1));
  const [to, setTo] = useState(date ?? addDays(today(), 14));
  const [weekdays, setWeekdays] = useState<number[]>([1, 2, 3, 4, 5]);
  const [times, setTimes] = useState<TimeDraft[]>([{ start: "09:00", minutes: "30" }]);
  const [skipHolidays, setSkipHolidays] = useState(true);
  const [excluded, setExcluded] = useState("");
  const [shared, setShared] = useState({ ...sharedDraft(), type });
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => setErrors(serverErrors(error)), [error]);
  const excludeDates = excluded.normalize("NFKC").replaceAll("/", "-").split(/[\s,、]+/).filter(Boolean);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found: Record<string, string> = { ...sharedErrors(shared) };
    if (!isDay(from)) found["from"] = "日付を入れてください";
    if (!isDay(to)) found["to"] = "日付を入れてください";
    else if (to < from) found["to"] = "「いつまで」が「いつから」より前です";
    if (weekdays.length === 0) found["weekdays"] = "曜日を1つ以上選んでください";
    const late = times.map(timeError).find((invalid) => invalid !== null);
    if (times.length === 0) found["times"] = "時間を1つ以上入れてください";
    else if (late) found["times"] = late;
    if (!excludeDates.every(isDay)) found["excludeDates"] = "2026-12-29 のように書いてください";
    setErrors(found);
    if (Object.keys(found).length > 0 || busy) return;
    preview({ ...sharedFields(shared), from, to, weekdays, times: times.map(timeFields), skipHolidays, excludeDates, dryRun: true });
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <section className={classes.card} aria-labelledby="bulk-days">
        <h2 id="bulk-days">いつ</h2>
        <div className={dialogs.form}>
          <div className={classes.fields}>
            <TextInput label="いつから" type="date" size="md" max="2099-12-31" value={from} error={errors["from"]} onChange={(event) => setFrom(event.currentTarget.value)} />
            <TextInput label="いつまで" type="date" size="md" max="2099-12-31" value={to} error={errors["to"]} onChange={(event) => setTo(event.currentTarget.value)} />
          </div>
          <fieldset className={classes.fieldset}>
            <legend>曜日</legend>
            <div className={own.weekdays}>
              {WEEK.map((weekday) => (
                <label key={weekday}>
                  <input
                    type="checkbox"
                    aria-label={`${weekdayName(weekday)}曜日`}
                    checked={weekdays.includes(weekday)}
                    onChange={(event) => setWeekdays(event.currentTarget.checked ? [...weekdays, weekday].sort() : weekdays.filter((one) => one !== weekday))}
                  />
                  <span aria-hidden="true">{weekdayName(weekday)}</span>
                </label>
              ))}
            </div>
            {errors["weekdays"] && (
              <p className={dialogs.error} role="alert">
                {errors["weekdays"]}
              </p>
            )}
          </fieldset>
          <Switch label="祝日は作らない" checked={skipHolidays} onChange={(event) => setSkipHolidays(event.currentTarget.checked)} />
          <TextInput
            label="ほかに除く日"
            description="年末年始など。いくつかあるときは、空白で区切ってください。"
            placeholder="2026-12-29 2026-12-30"
            size="md"
            autoComplete="off"
            value={excluded}
            error={errors["excludeDates"]}
            onChange={(event) => setExcluded(event.currentTarget.value)}
          />
          <TimesFields times={times} change={setTimes} invalid={errors["times"]} />
        </div>
      </section>
      <section className={classes.card} aria-labelledby="bulk-what">
        <h2 id="bulk-what">どんな枠</h2>
        <div className={dialogs.form}>
          <SharedFields draft={shared} change={setShared} errors={errors} />
        </div>
      </section>
      {error !== null && error !== undefined && <Refusal title="確認できませんでした" error={error} />}
      <div>
        <Button type="submit" size="md" loading={busy}>
          作る前に確かめる
        </Button>
      </div>
    </form>
  );
}
