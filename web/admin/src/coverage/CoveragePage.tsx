import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import classes from "../booking/Booking.module.css";
import { fiscalYear, today } from "../booking/days";
import { ExportMenu } from "../booking/ExportMenu";
import { typesQuery } from "../booking/queries";
import { BookingTabs } from "../booking/SectionTabs";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { PageHeading } from "../frame/PageHeading";
import { TypeSelect } from "../slots/TypeSelect";
import { CoveragePeople } from "./CoveragePeople";
import { DepartmentBars } from "./DepartmentBars";
import { coverageQuery } from "./queries";
import { Remind } from "./Remind";
import { ReminderHistory } from "./ReminderHistory";
import type { CoverageSearch } from "./search";
import { Totals } from "./Totals";

const route = getRouteApi("/inside/booking/coverage");
const YEARS_BACK = 4;

/** Who has booked and who has not: a check-up is a duty of the employer, so nobody may be missed. */
export function CoveragePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const types = useQuery(typesQuery);
  const find = (wanted: CoverageSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const type = search.type ?? types.data?.find(({ active }) => active)?.id ?? types.data?.[0]?.id;
  const now = fiscalYear(today());
  const year = search.year ?? now;
  const years = Array.from({ length: YEARS_BACK + 2 }, (_, index) => now + 1 - index);
  return (
    <>
      <PageHeading
        title="予約状況"
        aside={
          type !== undefined && (
            <ExportMenu path="/api/admin/coverage/export" query={{ reservationTypeId: type, periodKey: `FY${year}` }} name={`予約状況-${year}`} />
          )
        }
      >
        だれが予約し、だれがまだかを、部署ごとに確かめられます。在籍中の職員だけを数えます。
      </PageHeading>
      <BookingTabs />
      {types.isPending && <ListSkeleton />}
      {types.isError && <Failure error={types.error} retry={() => void types.refetch()} />}
      {types.data?.length === 0 && (
        <div className={lists.empty}>
          <h2>予約の種類がまだありません</h2>
          <Button size="md" mt="lg" renderRoot={(props) => <Link to="/booking/types" {...props} />}>
            予約の種類を作る
          </Button>
        </div>
      )}
      {type !== undefined && (
        <>
          <div className={classes.filters}>
            <TypeSelect value={type} choose={(chosen) => find({ ...search, ...(chosen === undefined ? {} : { type: chosen }) })} none="選んでください" />
            <NativeSelect label="年度" size="md" value={year} onChange={(event) => find({ ...search, year: Number(event.currentTarget.value) })}>
              {(years.includes(year) ? years : [year, ...years]).map((one) => (
                <option key={one} value={one}>
                  {one}年度
                </option>
              ))}
            </NativeSelect>
          </div>
          <Board key={type} search={{ ...search, type, year }} find={find} bookable={year >= now && types.data?.find(({ id }) => id === type)?.active === true} />
        </>
      )}
    </>
  );
}

interface BoardProps {
  search: CoverageSearch & { type: number; year: number };
  find: (search: CoverageSearch) => void;
  /** Whether anybody can book at all: not in a year that is over, nor a type that is off. */
  bookable: boolean;
}

function Board({ search, find, bookable }: BoardProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(coverageQuery(search.type, `FY${search.year}`));
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <ListSkeleton />;
  const department = data.departments.find(({ departmentId }) => departmentId === search.department);
  const audience = { reservationTypeId: search.type, periodKey: `FY${search.year}`, departmentId: search.department ?? null };
  return (
    <div className={classes.fading} data-fading={isPlaceholderData || undefined}>
      <Totals totals={data.totals} />
      {bookable && <Remind audience={audience} department={department?.name} missing={(department ?? data.totals).notBooked} />}
      <DepartmentBars departments={data.departments} chosen={search.department} choose={(department) => find({ ...search, department })} />
      <ReminderHistory type={search.type} />
      <CoveragePeople search={search} find={find} departments={data.departments} />
    </div>
  );
}
