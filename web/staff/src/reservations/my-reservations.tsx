import type { JSX } from "preact";
import { CalendarDrawing } from "../../../kit/drawings";
import { Fold } from "../../../kit/fold";
import { useLoad } from "../../../kit/load";
import { Link } from "../../../kit/router";
import { Rows } from "../../../kit/rows";
import type { Reservation } from "../api/shapes";
import { StaffError, StaffLoading } from "../frame/states";
import { StaffScreen } from "../frame/staff-screen";
import { Facts } from "../parts/facts";
import { Outdated } from "../parts/outdated";
import { deadlineText } from "../payments/countdown";
import { formatYen } from "../payments/money";
import { payStateOf } from "../payments/pay-state";
import { useSession } from "../session/session";
import { arrange, rowOf, stillWaiting } from "./arrange";
import { NoticeLine } from "./notice-line";
import { WaitingList } from "./waiting-list";

/** Everything that the person has booked: the next one first, and the way to the others. */
export function MyReservations(): JSX.Element {
  const { api } = useSession();
  const [state, reload] = useLoad(() => Promise.all([api.reservations(), api.waiting()]));
  if (state.kind === "loading") return <StaffLoading />;
  if (state.kind === "failed") return <StaffError error={state.error} retry={reload} />;
  const [reservations, places] = state.value;
  const { coming, past } = arrange(reservations);
  const waiting = stillWaiting(places);
  const [next, ...others] = coming;
  return (
    <StaffScreen title="予約の確認">
      {state.old && <Outdated text="新しい内容を受け取れませんでした。前に見たときの内容です。" retry={reload} />}
      {next ? <Next reservation={next} /> : <Nothing waiting={waiting.length > 0} />}
      {others.length > 0 && (
        <section aria-labelledby="others">
          <h2 id="others" class="past-heading">
            そのほかの予約
          </h2>
          <Rows rows={others.map(rowOf)} label="そのほかの予約" />
        </section>
      )}
      {waiting.length > 0 && <WaitingList places={waiting} onChanged={reload} />}
      {past.length > 0 && (
        <div class="history">
          <Fold title={`これまでの予約（${past.length}件）`}>
            <Rows rows={past.map(rowOf)} label="これまでの予約" />
          </Fold>
        </div>
      )}
    </StaffScreen>
  );
}

function Next({ reservation }: { reservation: Reservation }): JSX.Element {
  const payment = payStateOf(reservation);
  const due = payment.kind === "due" || payment.kind === "konbini" ? payment : null;
  return (
    <section class={due ? "card due" : "card"} aria-labelledby="next">
      <h2 id="next">{due ? "お支払いを待っている予約" : "次の予約"}</h2>
      <Facts of={reservation} typeName={reservation.reservationTypeName} description={reservation.typeDescription}>
        {due && (
          <>
            <dt>料金</dt>
            <dd>
              <b>{formatYen(due.amount)}</b>
              <span class="phrase">（{deadlineText(due.until)} まで）</span>
            </dd>
          </>
        )}
      </Facts>
      {!due && <NoticeLine id={reservation.id} />}
      <div class="actions">
        <Link to={`/reservations/${reservation.id}`} class="button">
          {due ? "お支払い・取消" : "QRコード・変更・取消"}
        </Link>
      </div>
    </section>
  );
}

function Nothing({ waiting }: { waiting: boolean }): JSX.Element {
  return (
    <div class="card empty">
      <CalendarDrawing />
      <p>{waiting ? "確定した予約は、まだありません。空きを待っている枠は下にあります。" : "これからの予約はありません。"}</p>
      <div class="actions">
        <Link to="/" class="button">
          予約する
        </Link>
      </div>
    </div>
  );
}
