import type { ComponentChildren, JSX } from "preact";
import { formatWithWeekday } from "../../../kit/dates";
import { BackLink } from "../../../kit/back-link";
import { Link, type Params } from "../../../kit/router";
import { useOverlay } from "../../../kit/use-overlay";
import type { Reservation } from "../api/shapes";
import { isOver } from "../days";
import { StaffScreen } from "../frame/staff-screen";
import { Facts } from "../parts/facts";
import { useArrival } from "../payments/arrival";
import { PayPanel } from "../payments/pay-panel";
import { isConfirmed, payStateOf } from "../payments/pay-state";
import { Receipt } from "../payments/receipt";
import { badgeOf, isChangeable } from "./arrange";
import { CancelSheet } from "./cancel-sheet";
import { NoticeLine } from "./notice-line";
import { OneReservation } from "./one-reservation";
import { Reception } from "./reception";

const BACK = <BackLink to="/reservations">予約の確認へ</BackLink>;

export function ReservationPage({ params }: { params: Params }): JSX.Element {
  return (
    <OneReservation id={params["id"]} back={BACK}>
      {(reservation, reload, news) => <Shown reservation={reservation} reload={reload} news={news} />}
    </OneReservation>
  );
}

interface ShownProps {
  reservation: Reservation;
  reload: () => void;
  news: ComponentChildren;
}

function Shown({ reservation, reload, news }: ShownProps): JSX.Element {
  const [arrival, settled] = useArrival();
  const badge = badgeOf(reservation);
  const payment = payStateOf(reservation);
  const live = reservation.canceledAt === null && !isOver(reservation) && payment.kind !== "expired";
  const certain = live && isConfirmed(reservation);
  const confirming = arrival === "paid" && payment.kind === "due";
  return (
    <StaffScreen title={reservation.reservationTypeName} back={BACK}>
      {news}
      <p>
        <span class={`badge badge-${badge.tone} badge-line`}>{badge.label}</span>
      </p>
      {payment.kind !== "none" && <PayPanel reservation={reservation} state={payment} arrival={arrival} settled={settled} look={reload} />}
      <div class="card">
        <Facts of={reservation} description={reservation.typeDescription}>
          <Receipt state={payment} />
        </Facts>
        {reservation.canceledAt !== null && !reservation.holdExpired && (
          <p class="note">{formatWithWeekday(reservation.canceledAt)} に取り消しました。</p>
        )}
        {certain && <NoticeLine key={reservation.revision} id={reservation.id} />}
      </div>
      {reservation.freesYear && <p class="say say-plain">この日は来場が確認できませんでした。この年度の予約を、もう一度お取りいただけます。</p>}
      {certain && reservation.attendance !== "came" && <Reception id={reservation.id} />}
      {certain && (
        <div class="actions">
          <Link to={`/reservations/${reservation.id}/calendar`} class="button button-quiet">
            カレンダーに追加
          </Link>
        </div>
      )}
      {/* Who has just paid must not give the seat back before the server knows it. */}
      {confirming ? null : live ? (
        <Changes reservation={reservation} onChanged={reload} />
      ) : (
        <div class="actions">
          <Link to="/" class="button">
            予約する
          </Link>
        </div>
      )}
    </StaffScreen>
  );
}

/** Moving and cancelling, until their deadline. A seat that is not paid for yet can be given back. */
function Changes({ reservation, onChanged }: { reservation: Reservation; onChanged: () => void }): JSX.Element {
  const sheet = useOverlay();
  const deadline = formatWithWeekday(reservation.cancelableUntil);
  if (!isChangeable(reservation)) {
    return <p class="say say-warn">変更・取り消しの期限（{deadline}）を過ぎました。ご都合が悪くなったときは、担当者にお電話ください。</p>;
  }
  const certain = isConfirmed(reservation);
  return (
    <section aria-labelledby="changes">
      <h2 id="changes" class="past-heading">
        {certain ? "変更・取り消し" : "取り消し"}
      </h2>
      {certain && <p class="note">{deadline} まで、ここで変更・取り消しができます。</p>}
      <div class="actions">
        {certain && (
          <Link to={`/reservations/${reservation.id}/move`} class="button button-quiet">
            日時を変更する
          </Link>
        )}
        <button type="button" class="button button-quiet button-danger" onClick={sheet.show}>
          {certain ? "予約を取り消す" : "支払わずに取り消す"}
        </button>
      </div>
      {sheet.open && <CancelSheet reservation={reservation} onClose={sheet.close} onChanged={onChanged} />}
    </section>
  );
}
