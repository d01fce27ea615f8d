import type { JSX } from "preact";
import { BackLink } from "../../../kit/back-link";
import type { Params } from "../../../kit/router";
import { StaffScreen } from "../frame/staff-screen";
import { Facts } from "../parts/facts";
import { CalendarLinks } from "./calendar-links";
import { OneReservation } from "./one-reservation";

/** For the button of a message. */
export function CalendarPage({ params }: { params: Params }): JSX.Element {
  const back = <BackLink to={`/reservations/${params["id"]}`}>予約の内容へ</BackLink>;
  return (
    <OneReservation id={params["id"]} back={back}>
      {(reservation, _, news) => (
        <StaffScreen title="カレンダーに追加" back={back}>
          {news}
          {reservation.canceledAt !== null && <p class="say say-warn">この予約は取り消されています。カレンダーに入れてある予定は、このファイルを開くと消えます。</p>}
          <div class="card">
            <Facts of={reservation} typeName={reservation.reservationTypeName} />
          </div>
          <CalendarLinks reservation={reservation} />
        </StaffScreen>
      )}
    </OneReservation>
  );
}
