import type { JSX } from "preact";
import { formatWithWeekday } from "../../../kit/dates";
import { BackLink } from "../../../kit/back-link";
import { Link, type Params } from "../../../kit/router";
import { useOverlay } from "../../../kit/use-overlay";
import type { Reservation } from "../api/shapes";
import { isOver } from "../days";
import { StaffError, StaffLoading } from "../frame/states";
import { StaffScreen } from "../frame/staff-screen";
import { Facts } from "../parts/facts";
import { Outdated } from "../parts/outdated";
import { badgeOf, isChangeable } from "./arrange";
import { CalendarButton } from "./calendar-button";
import { CancelSheet } from "./cancel-sheet";
import { useReservation } from "./load-one";
import { Reception } from "./reception";

const BACK = <BackLink to="/reservations">予約の確認へ</BackLink>;

export function ReservationPage({ params }: { params: Params }): JSX.Element {
  const [state, reload] = useReservation(params["id"]);
  if (state.kind === "loading") return <StaffLoading back={BACK} />;
  if (state.kind === "failed") return <StaffError error={state.error} retry={reload} back={BACK} />;
  if (state.value === null) return <NoReservation />;
  const reservation = state.value;
  const badge = badgeOf(reservation);
  const live = reservation.canceledAt === null && !isOver(reservation);
  return (
    <StaffScreen title={reservation.reservationTypeName} back={BACK}>
      {state.old && <Outdated text="新しい内容を受け取れませんでした。前に見たときの内容です。" retry={reload} />}
      <p>
        <span class={`badge badge-${badge.tone} badge-line`}>{badge.label}</span>
      </p>
      <div class="card">
        <Facts span={reservation} notes={reservation.notes} />
        {reservation.canceledAt !== null && <p class="note">{formatWithWeekday(reservation.canceledAt)} に取り消しました。</p>}
      </div>
      {live ? (
        <>
          {reservation.attendance !== "came" && <Reception id={reservation.id} />}
          <CalendarButton id={reservation.id} />
          <Changes reservation={reservation} onChanged={reload} />
        </>
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

/** Moving and cancelling, until their deadline. */
function Changes({ reservation, onChanged }: { reservation: Reservation; onChanged: () => void }): JSX.Element {
  const sheet = useOverlay();
  const deadline = formatWithWeekday(reservation.cancelableUntil);
  if (!isChangeable(reservation)) {
    return <p class="say say-warn">変更・取り消しの期限（{deadline}）を過ぎました。ご都合が悪くなったときは、担当者にお電話ください。</p>;
  }
  return (
    <section aria-labelledby="changes">
      <h2 id="changes" class="past-heading">
        変更・取り消し
      </h2>
      <p class="note">{deadline} まで、ここで変更・取り消しができます。</p>
      <div class="actions">
        <Link to={`/reservations/${reservation.id}/move`} class="button button-quiet">
          日時を変更する
        </Link>
        <button type="button" class="button button-quiet button-danger" onClick={sheet.show}>
          予約を取り消す
        </button>
      </div>
      {sheet.open && <CancelSheet reservation={reservation} onClose={sheet.close} onChanged={onChanged} />}
    </section>
  );
}

export function NoReservation(): JSX.Element {
  const words = { title: "予約が見つかりません", text: "番号がまちがっているか、ほかの方の予約です。" };
  return <StaffError error={null} words={words} back={BACK} />;
}
