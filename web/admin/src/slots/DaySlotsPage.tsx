import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import { dayText, monthOf, today } from "../booking/days";
import { BookingTabs } from "../booking/SectionTabs";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { DayNav } from "./DayNav";
import { calendarQuery, slotsQuery } from "./queries";
import { type Outcome, OutcomeNotice } from "./Selection";
import { SlotDialog } from "./SlotDialog";
import { SlotsTable } from "./SlotsTable";
import { TypeSelect } from "./TypeSelect";

const route = getRouteApi("/inside/booking/slots");

/** The slots of a day, for planning: making, publishing, closing. */
export function DaySlotsPage() {
  const { date = today(), type } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(slotsQuery(date, date, type));
  const holiday = useQuery(calendarQuery(monthOf(date), undefined)).data?.find((day) => day.date === date)?.holiday;
  const [adding, setAdding] = useState(false);
  // It stands above the list, which is gone when all of its slots were deleted.
  const [done, setDone] = useState<{ date: string; outcome: Outcome } | null>(null);
  const withType = type === undefined ? {} : { type };
  return (
    <>
      <Link data-screen-only to="/booking" search={{ month: monthOf(date), ...withType }} className={classes.back}>
        ← カレンダーへ
      </Link>
      <PageHeading
        title={`${dayText(date)}の予約枠`}
        aside={
          <div className={classes.buttons}>
            <Button variant="default" renderRoot={(props) => <Link to="/booking/day" search={{ date, ...withType }} {...props} />}>
              受付の画面
            </Button>
            <Button onClick={() => setAdding(true)}>枠を1つ作る</Button>
          </div>
        }
      />
      <BookingTabs />
      <div className={classes.filters}>
        <DayNav date={date} go={(day) => void navigate({ search: { date: day, ...withType }, replace: true })} />
        <TypeSelect value={type} choose={(chosen) => void navigate({ search: { date, ...(chosen === undefined ? {} : { type: chosen }) }, replace: true })} />
      </div>
      {holiday && (
        <Notice tone="info" className={classes.notice}>
          {holiday}の祝日です。
        </Notice>
      )}
      {done?.date === date && <OutcomeNotice outcome={done.outcome} />}
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.length === 0 && (
        <div className={lists.empty}>
          <h2>この日の予約枠はありません</h2>
          <p>1つずつ作るか、期間と曜日を決めてまとめて作れます。ほかの日や週と同じ枠なら、コピーもできます。</p>
          <div className={classes.buttons} style={{ justifyContent: "center", marginTop: "1.25rem" }}>
            <Button variant="default" size="md" renderRoot={(props) => <Link to="/booking/slots/copy" search={{ date }} {...props} />}>
              ほかの日からコピーする
            </Button>
            <Button size="md" renderRoot={(props) => <Link to="/booking/slots/new" search={{ date, ...withType }} {...props} />}>
              まとめて作る
            </Button>
          </div>
        </div>
      )}
      {data && data.length > 0 && <SlotsTable key={date} slots={data} report={(outcome) => setDone(outcome && { date, outcome })} />}
      <SlotDialog opened={adding} close={() => setAdding(false)} date={date} type={type} />
    </>
  );
}
