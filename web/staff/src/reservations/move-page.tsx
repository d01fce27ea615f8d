import type { JSX } from "preact";
import { BackLink } from "../../../kit/back-link";
import type { Params } from "../../../kit/router";
import { formatSpan } from "../days";
import { StaffError } from "../frame/states";
import { Slots } from "../slots/slots";
import { cannotChange } from "./cannot";
import { OneReservation } from "./one-reservation";

/** The calendar again, with the slots of the same type: the seat moves at once or not at all. */
export function MovePage({ params }: { params: Params }): JSX.Element {
  const back = <BackLink to={`/reservations/${params["id"]}`}>予約の内容へ</BackLink>;
  return (
    <OneReservation id={params["id"]} back={back}>
      {(reservation, _, news) => {
        const words = cannotChange(reservation, "変更");
        if (words) return <StaffError error={null} words={words} back={back} />;
        return (
          <Slots title="日時の変更" moving={reservation} back={back}>
            {news}
            <p>
              いまの予約：<b>{formatSpan(reservation)}</b>（{reservation.reservationTypeName}）
            </p>
          </Slots>
        );
      }}
    </OneReservation>
  );
}
