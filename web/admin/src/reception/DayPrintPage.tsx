import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { formatDateTime } from "../../../api/times";
import { dayText, rangeText, today } from "../booking/days";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import paper from "../paper/Paper.module.css";
import { PaperPage, PaperTools, Sheet } from "../paper/PaperPage";
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
    <PaperPage
      title="受付名簿の印刷"
      lead="A4の紙に、受付で使うチェック欄の付いた名簿を印刷します。下に見えるものが、そのまま印刷されます。"
      back={
        <Link to="/booking/day" search={{ date, ...(type === undefined ? {} : { type }) }}>
          ← 受付の画面に戻る
        </Link>
      }
    >
      {error && <Failure error={error} retry={() => void Promise.all([slots.refetch(), reservations.refetch()])} />}
      {!error && sheet === null && <ListSkeleton />}
      {sheet && (
        <>
          <PaperTools button={`${(reservations.data?.length ?? 0).toLocaleString("ja-JP")}人の名簿を印刷する`} disabled={sheet.length === 0} />
          <DaySheet date={date} sheet={sheet} />
        </>
      )}
    </PaperPage>
  );
}

function DaySheet({ date, sheet }: { date: string; sheet: readonly SheetSlot[] }) {
  return (
    <Sheet>
      <h2>{dayText(date)} 予約の名簿</h2>
      <p>
        <span>{formatDateTime(new Date())} 現在</span>
        {sheet.length === 0 && <span>予約はありません。</span>}
      </p>
      {sheet.map(({ slot, people }) => (
        <section key={slot.id}>
          <h3>
            {rangeText(slot)} {slot.reservationTypeName}（{people.length}人）
          </h3>
          <table>
            <thead>
              <tr>
                <th scope="col" className={paper.tick}>
                  受付
                </th>
                <th scope="col" className={paper.name}>
                  氏名
                </th>
                <th scope="col" className={paper.short}>
                  番号
                </th>
                <th scope="col">部署</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <tr key={person.id}>
                  <td className={paper.tick}>
                    <span />
                  </td>
                  <td>{person.fullName}</td>
                  <td className={paper.short}>{person.staffId}</td>
                  <td>{person.departmentName}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </Sheet>
  );
}
