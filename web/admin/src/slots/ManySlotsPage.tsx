import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { addDays, dayText, minuteOf, monthOf, shortDayText, timeField, today, weekdayOf } from "../booking/days";
import type { Slot, SlotStatus } from "../booking/shapes";
import { SLOT_STATUS_NAMES, SLOT_TONES } from "../booking/words";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import table from "../frame/Table.module.css";
import { type SlotDay, slotDays, spanText } from "./change";
import { manySlotsQuery, MOST_SLOTS } from "./queries";
import { isPlannable, type ManySearch } from "./search";
import { type Outcome, OutcomeNotice, Selection } from "./Selection";
import own from "./Slots.module.css";
import { TypeSelect } from "./TypeSelect";
import { Weekdays } from "./Weekdays";

const route = getRouteApi("/inside/booking/slots/change");
const LONGEST_DAYS = 366;
const STATUSES = Object.keys(SLOT_STATUS_NAMES) as SlotStatus[];

/** The slots of many days, filtered, ticked day by day, and changed together. */
export function ManySlotsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const from = search.from ?? today();
  const to = search.to ?? addDays(from, 20);
  const wrong = to < from ? "「いつまで」が「いつから」より前です" : to >= addDays(from, LONGEST_DAYS) ? `${LONGEST_DAYS}日までにしてください` : null;
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...manySlotsQuery({ from, to, type: search.type, status: search.status }), enabled: wrong === null });
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const days = slotDays((data ?? []).slice(0, MOST_SLOTS).filter((slot) => fits(slot, search)));
  const chosen = days.filter(({ date }) => ticked.has(date));
  const all = days.length > 0 && chosen.length === days.length;
  function tick(dates: readonly string[], on: boolean): void {
    setOutcome(null);
    const next = new Set(ticked);
    for (const date of dates) on ? next.add(date) : next.delete(date);
    setTicked(next);
  }
  function narrow(changed: { [Name in keyof ManySearch]: ManySearch[Name] | undefined }): void {
    setOutcome(null);
    const entries = Object.entries({ ...search, from, to, ...changed }).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ search: Object.fromEntries(entries) as ManySearch, replace: true });
  }
  return (
    <>
      <Link data-screen-only to="/booking" search={{ month: monthOf(from), ...(search.type === undefined ? {} : { type: search.type }) }} className={classes.back}>
        ← カレンダーへ
      </Link>
      <PageHeading title="枠をまとめて変える">期間や曜日で絞り込み、選んだ日の枠をまとめて公開・締め切り・変更・削除します。変える前に、何が変わるかを確かめられます。</PageHeading>
      <Filters search={search} from={from} to={to} wrong={wrong} narrow={narrow} />
      {outcome && <OutcomeNotice outcome={outcome} />}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && wrong === null && <ListSkeleton />}
      {data && wrong === null && (
        <div className={classes.fading} data-fading={isPlaceholderData || undefined}>
          {data.length >= MOST_SLOTS && (
            <Notice tone="warning" className={classes.notice}>
              枠が多いため、はじめの{MOST_SLOTS.toLocaleString("ja-JP")}枠だけを示しています。期間や種類で絞り込んでください。
            </Notice>
          )}
          {days.length === 0 ? (
            <Nothing narrowed={data.length > 0 || search.status !== undefined} clear={() => void navigate({ search: { from, to, ...(search.type === undefined ? {} : { type: search.type }) }, replace: true })} />
          ) : (
            <>
              <div className={classes.toolbar}>
                <Button variant="default" size="sm" onClick={() => tick(days.map(({ date }) => date), !all)}>
                  {all ? "選択をやめる" : "すべて選ぶ"}
                </Button>
                <p>
                  {days.length}日・{days.reduce((sum, { slots }) => sum + slots.length, 0).toLocaleString("ja-JP")}枠
                </p>
              </div>
              <DaysTable days={days} ticked={ticked} tick={tick} />
            </>
          )}
          <Selection
            slotIds={isPlaceholderData ? [] : chosen.flatMap(({ slots }) => slots.map(({ id }) => id))}
            days={chosen.length}
            done={(done) => {
              setTicked(new Set());
              setOutcome(done);
            }}
          />
        </div>
      )}
    </>
  );
}

function fits({ serviceDateLocal, startMinuteOfDay }: Slot, { weekdays, fromMinute = 0, toMinute = 1439 }: ManySearch): boolean {
  const onDay = weekdays === undefined || weekdays.includes(String(weekdayOf(serviceDateLocal)));
  return onDay && startMinuteOfDay >= fromMinute && startMinuteOfDay <= toMinute;
}

interface FiltersProps {
  search: ManySearch;
  from: string;
  to: string;
  /** Why the period is none. */
  wrong: string | null;
  narrow: (changed: { [Name in keyof ManySearch]: ManySearch[Name] | undefined }) => void;
}

function Filters({ search, from, to, wrong, narrow }: FiltersProps) {
  // As they are typed; the list follows when they are days.
  const [typed, setTyped] = useState({ from, to });
  function type(name: "from" | "to", value: string): void {
    setTyped({ ...typed, [name]: value });
    if (isPlannable(value)) narrow({ [name]: value });
  }
  const weekdays = search.weekdays === undefined ? [1, 2, 3, 4, 5, 6, 7] : [...search.weekdays].map(Number);
  return (
    <section className={classes.card} aria-label="絞り込み">
      <div className={own.narrow}>
        <div className={own.long}>
          <TypeSelect value={search.type} choose={(chosen) => narrow({ type: chosen })} />
        </div>
        <NativeSelect className={own.long ?? ""} label="状態" size="md" value={search.status ?? ""} onChange={(event) => narrow({ status: (event.currentTarget.value || undefined) as SlotStatus | undefined })}>
          <option value="">すべての状態</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {SLOT_STATUS_NAMES[status]}
            </option>
          ))}
        </NativeSelect>
        <TextInput
          label="いつから"
          type="date"
          size="md"
          max="2099-12-31"
          value={typed.from}
          error={isPlannable(typed.from) ? null : "日付を入れてください"}
          onChange={(event) => type("from", event.currentTarget.value)}
        />
        <TextInput
          label="いつまで"
          type="date"
          size="md"
          max="2099-12-31"
          value={typed.to}
          error={isPlannable(typed.to) ? wrong : "日付を入れてください"}
          onChange={(event) => type("to", event.currentTarget.value)}
        />
        <TextInput
          label="開始時刻（から）"
          type="time"
          size="md"
          value={search.fromMinute === undefined ? "" : timeField(search.fromMinute)}
          onChange={(event) => narrow({ fromMinute: minuteOf(event.currentTarget.value) ?? undefined })}
        />
        <TextInput
          label="開始時刻（まで）"
          type="time"
          size="md"
          value={search.toMinute === undefined ? "" : timeField(search.toMinute)}
          error={(search.toMinute ?? 1439) < (search.fromMinute ?? 0) ? "「まで」が「から」より前です" : null}
          onChange={(event) => narrow({ toMinute: minuteOf(event.currentTarget.value) ?? undefined })}
        />
      </div>
      <Weekdays chosen={weekdays} change={(some) => narrow({ weekdays: some.length === 7 || some.length === 0 ? undefined : some.join("") })} />
    </section>
  );
}

function Nothing({ narrowed, clear }: { narrowed: boolean; clear: () => void }) {
  return (
    <div className={lists.empty}>
      <h2>この条件の予約枠はありません</h2>
      <p>{narrowed ? "状態や曜日、時刻の条件に合う枠がありません。" : "この期間の枠は、まだ作られていません。期間を変えるか、枠を作ってください。"}</p>
      <div className={classes.buttons} style={{ justifyContent: "center", marginTop: "1.25rem" }}>
        {narrowed ? (
          <Button size="md" onClick={clear}>
            ほかの条件を外す
          </Button>
        ) : (
          <Button size="md" renderRoot={(props) => <Link to="/booking/slots/new" search={{}} {...props} />}>
            枠をまとめて作る
          </Button>
        )}
      </div>
    </div>
  );
}

interface DaysTableProps {
  days: readonly SlotDay<Slot>[];
  ticked: ReadonlySet<string>;
  tick: (dates: readonly string[], on: boolean) => void;
}

function DaysTable({ days, ticked, tick }: DaysTableProps) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={classes.hidden}>日ごとの予約枠</caption>
        <thead>
          <tr>
            <th scope="col" className={own.tick}>
              <span className={classes.hidden}>選択</span>
            </th>
            <th scope="col">日</th>
            <th scope="col">枠</th>
            <th scope="col">予約／定員</th>
            <th scope="col">状態</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, slots }) => (
            <tr key={date}>
              <td className={own.tick}>
                <label>
                  <input type="checkbox" aria-label={`${dayText(date)}を選ぶ`} checked={ticked.has(date)} onChange={(event) => tick([date], event.currentTarget.checked)} />
                </label>
              </td>
              <td data-label="日" className={classes.number}>
                <Link to="/booking/slots" search={{ date }}>
                  {shortDayText(date)}
                </Link>
              </td>
              <td data-label="枠">
                {spanText(slots)}
                <div className={classes.soft}>{[...new Set(slots.map(({ reservationTypeName }) => reservationTypeName))].join("、")}</div>
              </td>
              <td data-label="予約／定員" className={classes.number}>
                <strong>{total(slots, "bookedCount")}</strong>／{total(slots, "capacity")}人
              </td>
              <td data-label="状態">
                <span className={classes.badges}>
                  {STATUSES.map((status) => ({ status, count: slots.filter((slot) => slot.status === status).length }))
                    .filter(({ count }) => count > 0)
                    .map(({ status, count }) => (
                      <Badge key={status} tone={SLOT_TONES[status]}>
                        {SLOT_STATUS_NAMES[status]}
                        {count}
                      </Badge>
                    ))}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function total(slots: readonly Slot[], field: "capacity" | "bookedCount"): string {
  return slots.reduce((sum, slot) => sum + slot[field], 0).toLocaleString("ja-JP");
}
