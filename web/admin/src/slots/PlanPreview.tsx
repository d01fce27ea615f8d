import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import classes from "../booking/Booking.module.css";
import { monthOf, shortDayText } from "../booking/days";
import type { Plan } from "../booking/shapes";
import { Notice } from "../frame/Notice";
import { Refusal } from "../members/Refusal";
import { type ManySlotsChange, PUBLISH } from "./change";
import { ChangeDialog } from "./ChangeDialog";
import { planDays } from "./plan";
import { type Outcome, OutcomeNotice } from "./Selection";
import own from "./Slots.module.css";

interface PlanPreviewProps {
  plan: Plan;
  busy: boolean;
  /** Why it could not be made. */
  error: unknown;
  apply: () => void;
  change: () => void;
}

/** What will be made, before it is made; afterwards the same list tells what was made. */
export function PlanPreview({ plan, busy, error, apply, change }: PlanPreviewProps) {
  const days = planDays(plan);
  const first = plan.slots[0]?.serviceDateLocal;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is gone with the form, so that the focus has to be told where the result is.
  useEffect(() => heading.current?.focus(), [plan]);
  const count = plan.created.toLocaleString("ja-JP");
  return (
    <section className={classes.card} aria-labelledby="plan">
      {plan.dryRun ? (
        <>
          <h2 id="plan" ref={heading} tabIndex={-1}>確認</h2>
          <p className={own.sum} role="status">
            {plan.created > 0 ? `${count}枠を作ります。まだ作っていません。` : "作れる枠がありません。条件を変えてください。"}
          </p>
        </>
      ) : (
        <div className={classes.notice}>
          <h2 id="plan" ref={heading} tabIndex={-1} className={classes.hidden}>
            結果
          </h2>
          <Notice tone="success" title={`${count}枠を作りました`} alert>
            {first && (
              <Link to="/booking" search={{ month: monthOf(first) }}>
                カレンダーで見る
              </Link>
            )}
          </Notice>
          {plan.drafts > 0 && <Drafts plan={plan} />}
        </div>
      )}
      {/* It scrolls by itself when it is long, also with the keys. */}
      <ul className={own.planned} aria-label="予約枠の一覧" tabIndex={0}>
        {days.map(({ date, times, skipped }) => (
          <li key={date} data-skipped={times.length === 0 || undefined}>
            <span className="figures">{shortDayText(date)}</span>
            <span>
              {times.length > 0 && `${times.length}枠（${times.join("、")}）`}
              {skipped.length > 0 && <span> {skipped.join("。")}</span>}
            </span>
          </li>
        ))}
      </ul>
      {error !== null && <Refusal title="作れませんでした。1枠も作られていません" error={error} />}
      <div className={classes.buttons} style={{ marginTop: "1rem" }}>
        {plan.dryRun && plan.created > 0 && (
          <Button size="md" loading={busy} onClick={apply}>
            {count}枠を作る
          </Button>
        )}
        <Button variant="default" size="md" disabled={busy} onClick={change}>
          {plan.dryRun ? "条件を変える" : "続けて作る"}
        </Button>
      </div>
    </section>
  );
}

/** What was made as drafts can be published here: exactly these slots. */
function Drafts({ plan }: { plan: Plan }) {
  const [asked, setAsked] = useState<ManySlotsChange | "contents" | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const count = plan.drafts.toLocaleString("ja-JP");
  if (outcome) return <OutcomeNotice outcome={outcome} />;
  // All slots of a plan have the same status.
  const slotIds = plan.slots.flatMap(({ id }) => id ?? []);
  return (
    <Notice tone="warning" className={own.outcome} title={`${count}枠は下書きです。職員にはまだ見えません`}>
      あとで公開するときは、カレンダーの「枠をまとめて変える」を使います。
      <div style={{ marginTop: "0.75rem" }}>
        <Button size="md" onClick={() => setAsked(PUBLISH)}>
          {count}枠を公開する
        </Button>
      </div>
      <ChangeDialog slotIds={slotIds} change={asked} ask={setAsked} done={(change, result) => setOutcome({ change, result })} />
    </Notice>
  );
}
