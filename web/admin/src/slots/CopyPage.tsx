import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { dayText, isDay } from "../booking/days";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { useSession } from "../session/useSession";
import { copyBody, copyDays, copyDraft, type CopyDraft, copyStore } from "./plan-drafts";
import { type PlanFormProps, PlanPage } from "./PlanPage";
import { TypeSelect } from "./TypeSelect";
import type { CopyBody } from "./usePlan";

const route = getRouteApi("/inside/booking/slots/copy");

export function CopyPage() {
  const { username } = useSession();
  const { step, ...given } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PlanPage
      // The form belongs to the person who logged in.
      key={username}
      title="日や週をコピー"
      lead="ある日や週の予約枠を、同じ時間・定員で別の日や週に作ります。予約はコピーされません。コピーした枠は下書きになります。"
      store={copyStore}
      blank={() => copyDraft(given.date)}
      bodyOf={copyBody}
      request={(body: CopyBody, headers) => answerOf(api.POST("/api/admin/slots/copy", { body, headers }))}
      step={step}
      go={(to, replace = false) => void navigate({ search: { ...given, ...(to && { step: to }) }, replace })}
      form={(props) => <CopyForm {...props} />}
    />
  );
}

function CopyForm({ draft, change, submit, busy, error }: PlanFormProps<CopyDraft>) {
  const { unit, source, target, skipHolidays } = draft;
  const set = <Name extends keyof CopyDraft>(name: Name, value: CopyDraft[Name]) => change({ ...draft, [name]: value });
  const days = copyDays(draft);
  function ask(event: FormEvent): void {
    event.preventDefault();
    if (days && !busy) submit();
  }
  return (
    <form className={`${classes.card} ${dialogs.form}`} onSubmit={ask} noValidate>
      <SegmentedControl
        aria-label="コピーする長さ"
        value={unit}
        onChange={(value) => set("unit", value as CopyDraft["unit"])}
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
          onChange={(event) => set("source", event.currentTarget.value)}
        />
        <TextInput
          label={unit === "week" ? "作る週（その週のどの日でも）" : "作る日"}
          type="date"
          size="md"
          max="2099-12-31"
          value={target}
          error={isDay(target) ? null : "日付を入れてください"}
          onChange={(event) => set("target", event.currentTarget.value)}
        />
        <TypeSelect value={draft.type} choose={(type) => set("type", type)} />
      </div>
      {days && (
        <p role="status">
          {unit === "week"
            ? `${dayText(days.from)}から${dayText(days.to)}までの枠を、${dayText(days.target)}からの週に作ります。`
            : `${dayText(days.from)}の枠を、${dayText(days.target)}に作ります。`}
        </p>
      )}
      <Switch label="祝日は作らない" checked={skipHolidays} onChange={(event) => set("skipHolidays", event.currentTarget.checked)} />
      {error !== null && error !== undefined && <Refusal title="確認できませんでした" error={error} />}
      <div>
        <Button type="submit" size="md" loading={busy}>
          作る前に確かめる
        </Button>
      </div>
    </form>
  );
}
