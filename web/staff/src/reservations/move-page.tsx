import type { JSX } from "preact";
import { BackLink } from "../../../kit/back-link";
import type { Params } from "../../../kit/router";
import { formatSpan } from "../days";
import { StaffError, StaffLoading } from "../frame/states";
import { Slots } from "../slots/slots";
import { isChangeable } from "./arrange";
import { useReservation } from "./load-one";
import { NoReservation } from "./reservation-page";

/** The calendar again, with the slots of the same type: the seat moves at once or not at all. */
export function MovePage({ params }: { params: Params }): JSX.Element {
  const [state, reload] = useReservation(params["id"]);
  const back = <BackLink to={`/reservations/${params["id"]}`}>予約の内容へ</BackLink>;
  if (state.kind === "loading") return <StaffLoading back={back} />;
  if (state.kind === "failed") return <StaffError error={state.error} retry={reload} back={back} />;
  const reservation = state.value;
  if (reservation === null) return <NoReservation />;
  if (!isChangeable(reservation)) {
    const words = { title: "変更できません", text: "変更の期限を過ぎたか、取り消された予約です。ご都合が悪くなったときは、担当者にお電話ください。" };
    return <StaffError error={null} words={words} back={back} />;
  }
  return (
    <Slots title="日時の変更" moving={reservation} back={back}>
      <p>
        いまの予約：<b>{formatSpan(reservation)}</b>（{reservation.reservationTypeName}）
      </p>
    </Slots>
  );
}
