import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import classes from "../booking/Booking.module.css";
import { addDays, addMonths, monthOf, monthText, today } from "../booking/days";
import { typesQuery } from "../booking/queries";
import { BookingTabs } from "../booking/SectionTabs";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { PageHeading } from "../frame/PageHeading";
import { Calendar } from "./Calendar";
import { calendarQuery } from "./queries";
import own from "./Slots.module.css";
import { TypeSelect } from "./TypeSelect";

const route = getRouteApi("/inside/booking");

/** The days of the month that can still be planned; all of a month that is over. */
function daysToPlan(month: string): { from: string; to: string } {
  const [first, last] = [`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1)];
  return { from: first < today() && today() <= last ? today() : first, to: last };
}

export function CalendarPage() {
  const { month = monthOf(today()), type } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(calendarQuery(month, type));
  const types = useQuery(typesQuery);
  const withType = type === undefined ? {} : { type };
  return (
    <>
      <PageHeading
        title="予約"
        aside={
          <div className={classes.buttons}>
            <Button variant="default" renderRoot={(props) => <Link to="/booking/slots/copy" search={{}} {...props} />}>
              日や週をコピー
            </Button>
            <Button variant="default" renderRoot={(props) => <Link to="/booking/slots/change" search={{ ...daysToPlan(month), ...withType }} {...props} />}>
              枠をまとめて変える
            </Button>
            <Button renderRoot={(props) => <Link to="/booking/slots/new" search={withType} {...props} />}>枠をまとめて作る</Button>
          </div>
        }
      >
        日を選ぶと、その日の予約枠が開きます。
      </PageHeading>
      <BookingTabs />
      <div className={classes.filters}>
        <div className={own.months}>
          <Button variant="default" size="md" aria-label="前の月" renderRoot={(props) => <Link to="/booking" search={{ month: addMonths(month, -1), ...withType }} {...props} />}>
            ‹
          </Button>
          <h2 aria-live="polite">{monthText(month)}</h2>
          <Button variant="default" size="md" aria-label="次の月" renderRoot={(props) => <Link to="/booking" search={{ month: addMonths(month, 1), ...withType }} {...props} />}>
            ›
          </Button>
          {month !== monthOf(today()) && (
            <Link to="/booking" search={withType}>
              今月
            </Link>
          )}
        </div>
        <TypeSelect value={type} choose={(chosen) => void navigate({ search: { month, ...(chosen === undefined ? {} : { type: chosen }) }, replace: true })} />
      </div>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && (
        <div className={classes.fading} data-fading={isPlaceholderData || undefined}>
          <Calendar month={month} days={data} type={type} />
        </div>
      )}
      {types.data?.length === 0 && (
        <div className={lists.empty} style={{ marginTop: "1rem" }}>
          <h2>まず「予約の種類」を作ってください</h2>
          <p>「職員健診」などの種類を作ると、予約枠を作れるようになります。</p>
          <Button size="md" mt="lg" renderRoot={(props) => <Link to="/booking/types" {...props} />}>
            予約の種類を作る
          </Button>
        </div>
      )}
    </>
  );
}
