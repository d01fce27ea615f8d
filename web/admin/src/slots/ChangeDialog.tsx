import { Button, Checkbox, Skeleton, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Activity, type FormEvent, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { shortDayText, timeText } from "../booking/days";
import { type FieldErrors, wholeNumber } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import { IdempotencyKeys } from "../event-detail/actions/idempotency-keys";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { type ChangeResult, type ChangeWords, type ManySlotsChange, newContents, REFUSALS, type RefusedSlot, slotDays, spanText, wordsOf } from "./change";
import { instant } from "./draft";
import own from "./Slots.module.css";

/** More lines than this are not read. */
const MOST_LINES = 100;

interface ChangeDialogProps {
  slotIds: readonly number[];
  /** What all of the slots get; `contents`: it is still to be typed; null: closed. */
  change: ManySlotsChange | "contents" | null;
  ask: (change: ManySlotsChange | "contents" | null) => void;
  done: (change: ManySlotsChange, result: ChangeResult) => void;
}

/** One change for many slots: first what would happen, then one confirmation. */
export function ChangeDialog({ slotIds, change, ask, done }: ChangeDialogProps) {
  const close = () => ask(null);
  const title = change === null || change === "contents" ? wordsOf({}).title : wordsOf(change).title;
  const typed = change !== null && change !== "contents" && newContents(change).length > 0;
  return (
    <Dialog opened={change !== null} close={close} title={title} size="lg">
      {(change === "contents" || typed) && (
        // What was typed stays while it is looked at.
        <Activity mode={typed ? "hidden" : "visible"}>
          <ContentsForm count={slotIds.length} close={close} ask={ask} />
        </Activity>
      )}
      {change !== null && change !== "contents" && (
        <Question slotIds={slotIds} change={change} back={typed ? () => ask("contents") : null} close={close} done={(result) => done(change, result)} />
      )}
    </Dialog>
  );
}

interface QuestionProps {
  slotIds: readonly number[];
  change: ManySlotsChange;
  /** Back to what was typed; null: nothing was. */
  back: (() => void) | null;
  close: () => void;
  done: (result: ChangeResult) => void;
}

function Question({ slotIds, change, back, close, done }: QuestionProps) {
  const client = useQueryClient();
  const [keys] = useState(() => new IdempotencyKeys());
  const words = wordsOf(change);
  const select = { slotIds: [...slotIds] };
  const preview = useQuery({
    queryKey: ["slots-change", slotIds, change],
    queryFn: ({ signal }) => answerOf(api.POST("/api/admin/slots/change", { body: { select, change, skipRefused: false, dryRun: true }, signal })),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const writing = useMutation({
    mutationFn: ({ matched, refused }: ChangeResult) => {
      const body = { select, change, expect: matched, skipRefused: refused.length > 0, dryRun: false };
      return answerOf(api.POST("/api/admin/slots/change", { body, headers: { "Idempotency-Key": keys.keyFor(body) } }));
    },
    onSuccess: (result) => {
      close();
      done(result);
    },
    onSettled: () => bookingChanged(client),
  });
  const { data } = preview;
  const again = () => {
    writing.reset();
    void preview.refetch();
  };
  const error = writing.error ?? preview.error;
  return (
    <div className={dialogs.form}>
      {preview.isPending && (
        <div role="status" aria-label="確かめています">
          <Skeleton height={20} width="70%" />
          <Skeleton height={120} mt="sm" />
        </div>
      )}
      {data && !error && <Preview change={change} result={data} />}
      {error && <Refusal title="できませんでした。何も変わっていません" error={error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={writing.isPending} data-autofocus>
          {data && data.changed === 0 ? "閉じる" : "やめる"}
        </Button>
        {back && (
          <Button variant="default" size="md" onClick={back} disabled={writing.isPending}>
            入力に戻る
          </Button>
        )}
        {error && (
          <Button size="md" onClick={again} loading={preview.isFetching}>
            もう一度確かめる
          </Button>
        )}
        {data && !error && data.changed > 0 && (
          <Button size="md" loading={writing.isPending} onClick={() => writing.mutate(data)} {...(change.delete ? { color: "var(--red)" } : {})}>
            {`${data.changed.toLocaleString("ja-JP")}枠を${words.action}`}
          </Button>
        )}
      </div>
    </div>
  );
}

function Preview({ change, result }: { change: ManySlotsChange; result: ChangeResult }) {
  const { matched, changed, unchanged, refused, slots } = result;
  const words = wordsOf(change);
  const contents = newContents(change);
  const people = slots.reduce((sum, { bookedCount }) => sum + bookedCount, 0);
  return (
    <>
      <p role="status">
        {changed > 0 ? (
          <>
            <strong>{changed.toLocaleString("ja-JP")}</strong>
            {words.text}
          </>
        ) : (
          `選んだ${matched.toLocaleString("ja-JP")}枠に、変わるものはありません。`
        )}
        {unchanged > 0 && ` ${unchanged.toLocaleString("ja-JP")}枠${words.same}`}
        {changed === slots.length && people > 0 && change.status === "closed" && ` この枠には、${people.toLocaleString("ja-JP")}人の予約があります。`}
      </p>
      {contents.length > 0 && (
        <dl className={classes.facts}>
          {contents.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {refused.length > 0 && <Refused refused={refused} words={words} others={changed > 0} />}
      {slots.length > 0 && (
        <div>
          {/* It scrolls by itself when it is long, also with the keys. */}
          <ul className={own.planned} aria-label="変わる予約枠" tabIndex={0}>
            {slotDays(slots).map(({ date, slots: some }) => (
              <li key={date}>
                <span className="figures">{shortDayText(date)}</span>
                <span>{spanText(some)}</span>
              </li>
            ))}
          </ul>
          {changed > slots.length && <p className={classes.soft}>ここには、はじめの{slots.length}枠を示しています。</p>}
        </div>
      )}
    </>
  );
}

/** Which slots stay as they are, why, and what can be done about it. */
function Refused({ refused, words, others }: { refused: readonly RefusedSlot[]; words: ChangeWords; others: boolean }) {
  const codes = [...new Set(refused.map(({ code }) => code))];
  return (
    <Notice tone="warning" title={`${refused.length.toLocaleString("ja-JP")}枠は${words.cannot}${others ? "。ほかの枠だけが対象です" : ""}`}>
      {codes.map((code) => {
        const some = refused.filter((one) => one.code === code);
        return (
          <div key={code}>
            {REFUSALS[code].why}
            {REFUSALS[code].instead}
            <ul className={own.refused} aria-label="変えられない予約枠" tabIndex={0}>
              {some.slice(0, MOST_LINES).map(({ slotId, serviceDateLocal, startMinuteOfDay }) => (
                <li key={slotId}>
                  <Link to="/booking/slots/$slotId" params={{ slotId: String(slotId) }}>
                    {shortDayText(serviceDateLocal)} {timeText(startMinuteOfDay)}
                  </Link>
                </li>
              ))}
              {some.length > MOST_LINES && <li>ほか{(some.length - MOST_LINES).toLocaleString("ja-JP")}枠</li>}
            </ul>
          </div>
        );
      })}
    </Notice>
  );
}

/** The new contents of the slots. A field that is not ticked stays as it is in each of them. */
function ContentsForm({ count, close, ask }: { count: number; close: () => void; ask: (change: ManySlotsChange) => void }) {
  // Null: it stays.
  const [capacity, setCapacity] = useState<string | null>(null);
  const [start, setStart] = useState<string | null>(null);
  const [end, setEnd] = useState<string | null>(null);
  const [notes, setNotes] = useState<string | null>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found: Record<string, string> = {};
    const seats = capacity === null ? undefined : wholeNumber(capacity, 1, 10_000);
    const [from, to] = [start === null ? undefined : instant(start), end === null ? undefined : instant(end)];
    if (seats === null) found["capacity"] = "1以上の数字にしてください";
    if (from && to && to < from) found["end"] = "締め切りが、受付の開始より前です";
    if (notes !== null && [...notes.trim()].length > 500) found["notes"] = "500文字までにしてください";
    if ([capacity, start, end, notes].every((field) => field === null)) found["none"] = "変えるものを1つ以上選んでください";
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    ask({
      ...(seats ? { capacity: seats } : {}),
      ...(from !== undefined && { bookingStart: from }),
      ...(to !== undefined && { bookingEnd: to }),
      ...(notes !== null && { notes: notes.trim() || null }),
    });
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <p>選んだ{count.toLocaleString("ja-JP")}枠について、変えるものを選んでください。選ばないものは、枠ごとにいまのままです。</p>
      <Checkbox label="定員を変える" checked={capacity !== null} onChange={(event) => setCapacity(event.currentTarget.checked ? "10" : null)} data-autofocus />
      {capacity !== null && (
        <TextInput label="定員（1枠あたり）" size="md" inputMode="numeric" value={capacity} error={errors["capacity"]} onChange={(event) => setCapacity(event.currentTarget.value)} />
      )}
      <Checkbox label="受付の開始を変える" checked={start !== null} onChange={(event) => setStart(event.currentTarget.checked ? "" : null)} />
      {start !== null && (
        <TextInput
          label="受付の開始"
          description="空なら、公開したときから"
          type="datetime-local"
          size="md"
          max="2099-12-31T23:59"
          value={start}
          onChange={(event) => setStart(event.currentTarget.value)}
        />
      )}
      <Checkbox label="受付の締め切りを変える" checked={end !== null} onChange={(event) => setEnd(event.currentTarget.checked ? "" : null)} />
      {end !== null && (
        <TextInput
          label="受付の締め切り"
          description="空なら、枠が始まるまで"
          type="datetime-local"
          size="md"
          max="2099-12-31T23:59"
          value={end}
          error={errors["end"]}
          onChange={(event) => setEnd(event.currentTarget.value)}
        />
      )}
      <Checkbox label="備考を変える" checked={notes !== null} onChange={(event) => setNotes(event.currentTarget.checked ? "" : null)} />
      {notes !== null && (
        <Textarea
          label="備考（職員に表示されます）"
          description="空なら、備考を消します"
          size="md"
          autosize
          minRows={1}
          maxRows={4}
          value={notes}
          error={errors["notes"]}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
      )}
      {errors["none"] && (
        <p className={dialogs.error} role="alert">
          {errors["none"]}
        </p>
      )}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close}>
          やめる
        </Button>
        <Button type="submit" size="md">
          変える前に確かめる
        </Button>
      </div>
    </form>
  );
}
