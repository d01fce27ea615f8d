import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Activity, type FormEvent, useState } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { addDays, dayText, isDay, today, weekdayOf } from "../booking/days";
import { PageHeading } from "../frame/PageHeading";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { PlanPreview } from "./PlanPreview";
import { TypeSelect } from "./TypeSelect";
import { type CopyBody, usePlan } from "./usePlan";

const route = getRouteApi("/inside/booking/slots/copy");

export function CopyPage() {
  const { date } = route.useSearch();
  const planning = usePlan<CopyBody>((body, headers) => answerOf(api.POST("/api/admin/slots/copy", { body, headers })));
  return (
    <>
      <Link data-screen-only to="/booking" search={{}} className={classes.back}>
        ← カレンダーへ
      </Link>
      <PageHeading title="日や週をコピー">ある日や週の予約枠を、同じ時間・定員で別の日や週に作ります。予約はコピーされません。</PageHeading>
      <Activity mode={planning.plan ? "hidden" : "visible"}>
        <CopyForm target={date} preview={planning.preview} busy={planning.previewing} error={planning.previewError} />
      </Activity>
      {planning.plan && <PlanPreview plan={planning.plan} busy={planning.applying} error={planning.applyError} apply={planning.apply} change={planning.reset} />}
    </>
  );
}

interface CopyFormProps {
  target: string | undefined;
  preview: (body: CopyBody) => void;
  busy: boolean;
  error: unknown;
}

const monday = (day: string) => addDays(day, 1 - weekdayOf(day));

function CopyForm({ target: asked, preview, busy, error }: CopyFormProps) {
  const [unit, setUnit] = useState<"day" | "week">("day");
  const [source, setSource] = useState(addDays(asked ?? today(), -7));
  const [target, setTarget] = useState(asked ?? addDays(today(), 7));
  const [type, setType] = useState<number>();
  const [skipHolidays, setSkipHolidays] = useState(true);
  const whole = isDay(source) && isDay(target);
  const from = whole && unit === "week" ? monday(source) : source;
  const to = whole && unit === "week" ? addDays(from, 6) : from;
  const first = whole && unit === "week" ? monday(target) : target;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!whole || busy) return;
    preview({ from, to, target: first, skipHolidays, dryRun: true, ...(type === undefined ? {} : { reservationTypeId: type }) });
  }
  return (
    <form className={`${classes.card} ${dialogs.form}`} onSubmit={submit} noValidate>
      <SegmentedControl
        aria-label="コピーする長さ"
        value={unit}
        onChange={(value) => setUnit(value as "day" | "week")}
        data={[
          { value: "day", label: "1日" },
          { value: "week", label: "1週間" },
        ]}
      />
      <div className={classes.fields}>
        <TextInput
          label={unit === "week" ? "コピーする週（その週のどの日でも）" : "コピーする日"}
          type="date"
          size="md"
          max="2099-12-31"
          value={source}
          error={isDay(source) ? null : "日付を入れてください"}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
        <TextInput
          label={unit === "week" ? "作る週（その週のどの日でも）" : "作る日"}
          type="date"
          size="md"
          max="2099-12-31"
          value={target}
          error={isDay(target) ? null : "日付を入れてください"}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
        <TypeSelect value={type} choose={setType} />
      </div>
      {whole && (
        <p role="status">
          {unit === "week" ? `${dayText(from)}から${dayText(to)}までの枠を、${dayText(first)}からの週に作ります。` : `${dayText(from)}の枠を、${dayText(first)}に作ります。`}
        </p>
      )}
      <Switch label="祝日は作らない" checked={skipHolidays} onChange={(event) => setSkipHolidays(event.currentTarget.checked)} />
      {error !== null && error !== undefined && <Refusal title="確認できませんでした" error={error} />}
      <div>
        <Button type="submit" size="md" loading={busy}>
          作る前に確かめる
        </Button>
      </div>
    </form>
  );
}
