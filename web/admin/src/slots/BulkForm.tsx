import { Button, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import classes from "../booking/Booking.module.css";
import { type FieldErrors, serverErrors } from "../booking/forms";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { type BulkDraft, bulkErrors } from "./plan-drafts";
import type { PlanFormProps } from "./PlanPage";
import { SharedFields } from "./SharedFields";
import { TimesFields } from "./TimesFields";
import { Weekdays } from "./Weekdays";

export function BulkForm({ draft, change, submit, busy, error }: PlanFormProps<BulkDraft>) {
  const { from, to, weekdays, times, skipHolidays, excluded, shared } = draft;
  const [errors, setErrors] = useState<FieldErrors>({});
  useEffect(() => setErrors(serverErrors(error)), [error]);
  const set = <Name extends keyof BulkDraft>(name: Name, value: BulkDraft[Name]) => change({ ...draft, [name]: value });
  function ask(event: FormEvent): void {
    event.preventDefault();
    const found = bulkErrors(draft);
    setErrors(found);
    if (Object.keys(found).length === 0 && !busy) submit();
  }
  return (
    <form className={dialogs.form} onSubmit={ask} noValidate>
      <section className={classes.card} aria-labelledby="bulk-days">
        <h2 id="bulk-days">いつ</h2>
        <div className={dialogs.form}>
          <div className={classes.fields}>
            <TextInput label="いつから" type="date" size="md" max="2099-12-31" value={from} error={errors["from"]} onChange={(event) => set("from", event.currentTarget.value)} />
            <TextInput label="いつまで" type="date" size="md" max="2099-12-31" value={to} error={errors["to"]} onChange={(event) => set("to", event.currentTarget.value)} />
          </div>
          <Weekdays chosen={weekdays} change={(changed) => set("weekdays", changed)} invalid={errors["weekdays"]} />
          <Switch label="祝日は作らない" checked={skipHolidays} onChange={(event) => set("skipHolidays", event.currentTarget.checked)} />
          <TextInput
            label="ほかに除く日"
            description="年末年始など。いくつかあるときは、空白で区切ってください。"
            placeholder="2026-12-29 2026-12-30"
            size="md"
            autoComplete="off"
            value={excluded}
            error={errors["excludeDates"]}
            onChange={(event) => set("excluded", event.currentTarget.value)}
          />
          <TimesFields times={times} change={(changed) => set("times", changed)} invalid={errors["times"]} />
        </div>
      </section>
      <section className={classes.card} aria-labelledby="bulk-what">
        <h2 id="bulk-what">どんな枠</h2>
        <div className={dialogs.form}>
          <SharedFields draft={shared} change={(changed) => set("shared", changed)} errors={errors} />
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
