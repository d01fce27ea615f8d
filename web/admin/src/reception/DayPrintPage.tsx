import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { formatDateTime } from "../../../api/times";
import { dayText, rangeText, today } from "../booking/days";
import print from "../event-detail/Print.module.css";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { slotsQuery } from "../slots/queries";
import { liveReservationsQuery } from "./queries";
import { type SheetSlot, sheetOf } from "./sheet";

const route = getRouteApi("/inside/booking/day/print");

/** The day's list on paper, for a reception without a computer. */
export function DayPrintPage() {
  const { date = today(), type } = route.useSearch();
  const slots = useQuery(slotsQuery(date, date, type));
  const reservations = useQuery(liveReservationsQuery({ from: date, to: date, ...(type === undefined ? {} : { reservationTypeId: type }) }));
  const error = slots.error ?? reservations.error;
  const sheet = slots.data && reservations.data ? sheetOf(slots.data, reservations.data, "").filter(({ people }) => people.length > 0) : null;
  return (
    <>
      <div className={print.screenOnly}>
        <Link to="/booking/day" search={{ date, ...(type === undefined ? {} : { type }) }}>
          ← 受付の画面に戻る
        </Link>
        <PageHeading title="受付名簿の印刷">A4の紙に、受付で使うチェック欄の付いた名簿を印刷します。下に見えるものが、そのまま印刷されます。</PageHeading>
      </div>
      {error && <Failure error={error} retry={() => void Promise.all([slots.refetch(), reservations.refetch()])} />}
      {!error && sheet === null && <ListSkeleton />}
      {sheet && (
        <>
          <div className={`${print.screenOnly} ${print.tools}`}>
            <Button disabled={sheet.length === 0} onClick={() => window.print()}>
              {(reservations.data?.length ?? 0).toLocaleString("ja-JP")}人の名簿を印刷する
            </Button>
          </div>
          <Sheet date={date} sheet={sheet} />
        </>
      )}
    </>
  );
}

function Sheet({ date, sheet }: { date: string; sheet: readonly SheetSlot[] }) {
  return (
    <article className={print.sheet}>
      <h2>{dayText(date)} 予約の名簿</h2>
      <p className={print.head}>
        <span>{formatDateTime(new Date())} 現在</span>
        {sheet.length === 0 && <span>予約はありません。</span>}
      </p>
      {sheet.map(({ slot, people }) => (
        <section key={slot.id} style={{ marginBottom: "6mm" }}>
          <h3 style={{ margin: "0 0 1mm", fontSize: "12pt" }}>
            {rangeText(slot)} {slot.reservationTypeName}（{people.length}人）
          </h3>
          <table>
            <thead>
              <tr>
                <th scope="col">受付</th>
                <th scope="col">氏名</th>
                <th scope="col">番号</th>
                <th scope="col">部署</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <tr key={person.id}>
                  <td className={print.tick}>
                    <span />
                  </td>
                  <td>{person.fullName}</td>
                  <td className={print.answer}>{person.staffId}</td>
                  <td>{person.departmentName}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </article>
  );
}
