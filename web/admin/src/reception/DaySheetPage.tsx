import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { dayText, rangeText, today } from "../booking/days";
import { ExportMenu } from "../booking/ExportMenu";
import { BookingTabs } from "../booking/SectionTabs";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { Refusal } from "../members/Refusal";
import { DayNav } from "../slots/DayNav";
import { slotsQuery } from "../slots/queries";
import { TypeSelect } from "../slots/TypeSelect";
import { BookDialog } from "./BookDialog";
import { PeopleTable } from "./PeopleTable";
import { liveReservationsQuery } from "./queries";
import own from "./Reception.module.css";
import { attendanceCounts, type SheetSlot, sheetOf } from "./sheet";
import { useAttendance } from "./useAttendance";

const route = getRouteApi("/inside/booking/day");

/** The reception's screen: everybody of a day, slot by slot, with one tap for each. */
export function DaySheetPage() {
  const { date = today(), type } = route.useSearch();
  const navigate = route.useNavigate();
  const withType = type === undefined ? {} : { type };
  const slots = useQuery(slotsQuery(date, date, type));
  const wanted = { from: date, to: date, ...(type === undefined ? {} : { reservationTypeId: type }) };
  const reservations = useQuery(liveReservationsQuery(wanted));
  const [words, setWords] = useState("");
  const sought = useDeferredValue(words);
  const attendance = useAttendance();
  const error = slots.error ?? reservations.error;
  const ready = slots.data !== undefined && reservations.data !== undefined;
  const sheet = ready ? sheetOf(slots.data, reservations.data, sought) : [];
  return (
    <>
      <PageHeading
        title={`${dayText(date)}の受付`}
        aside={
          <div className={classes.buttons}>
            <ExportMenu path="/api/admin/reservations/export" query={{ ...wanted, state: "live" }} name={`予約-${date}`} />
            <Button variant="default" renderRoot={(props) => <Link to="/booking/day/print" search={{ date, ...withType }} {...props} />}>
              名簿を印刷
            </Button>
          </div>
        }
      />
      <BookingTabs />
      <div className={classes.filters}>
        <DayNav date={date} go={(day) => void navigate({ search: { date: day, ...withType }, replace: true })} />
        <TypeSelect value={type} choose={(chosen) => void navigate({ search: { date, ...(chosen === undefined ? {} : { type: chosen }) }, replace: true })} />
        <TextInput
          className={classes.words ?? ""}
          label="この日の方を探す"
          type="search"
          size="md"
          autoComplete="off"
          placeholder="氏名・ふりがな・職員番号"
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {error && <Failure error={error} retry={() => void Promise.all([slots.refetch(), reservations.refetch()])} />}
      {!error && !ready && <ListSkeleton />}
      {attendance.error && <Refusal title="記録できませんでした" error={attendance.error} />}
      {ready && reservations.data.length > 0 && <Counts counts={attendanceCounts(reservations.data)} />}
      {ready && sheet.length === 0 && sought.trim() !== "" && <Empty title="この日の予約に、あてはまる方はいません">日付か、探す言葉を確かめてください。</Empty>}
      {ready && sheet.length === 0 && sought.trim() === "" && <Empty title="この日の予約はありません">カレンダーで、予約枠のある日を確かめられます。</Empty>}
      {sheet.map((one) => (
        <SlotSection key={one.slot.id} sheet={one} attendance={attendance} />
      ))}
      <p className={classes.hidden} role="status">
        {attendance.said}
      </p>
    </>
  );
}

function Counts({ counts }: { counts: ReturnType<typeof attendanceCounts> }) {
  return (
    <dl className={own.counts}>
      {(
        [
          ["予約", counts.all],
          ["来た", counts.came],
          ["来なかった", counts.absent],
          ["未確認", counts.open],
        ] as const
      ).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{count.toLocaleString("ja-JP")}人</dd>
        </div>
      ))}
    </dl>
  );
}

function SlotSection({ sheet: { slot, people }, attendance }: { sheet: SheetSlot; attendance: ReturnType<typeof useAttendance> }) {
  const [booking, setBooking] = useState(false);
  const id = `slot-${slot.id}`;
  return (
    <section className={own.slot} aria-labelledby={id}>
      <div className={own.slotHead}>
        <h2 id={id}>
          <Link to="/booking/slots/$slotId" params={{ slotId: String(slot.id) }}>
            {rangeText(slot)}
          </Link>{" "}
          {slot.reservationTypeName}
        </h2>
        <span className={classes.soft}>
          {slot.bookedCount}／{slot.capacity}人{slot.waitingCount > 0 && `・キャンセル待ち${slot.waitingCount}人`}
        </span>
        {slot.seatsLeft === 0 ? (
          <Badge tone="warn">満席</Badge>
        ) : (
          <Button variant="subtle" size="sm" aria-label={`${rangeText(slot)}に代わりに予約`} onClick={() => setBooking(true)}>
            代わりに予約
          </Button>
        )}
      </div>
      {people.length > 0 ? <PeopleTable people={people} label={rangeText(slot)} attendance={attendance} /> : <p className={classes.emptyLine}>予約した方はいません。</p>}
      <BookDialog slot={slot} opened={booking} close={() => setBooking(false)} />
    </section>
  );
}
