import type { JSX } from "preact";
import { useLoad } from "../../../kit/load";
import { navigate } from "../../../kit/router";
import type { Reservation, Slot } from "../api/shapes";
import { formatSpan, isOver } from "../days";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";
import { periodOf } from "./period";

/** The way on for somebody who has a reservation of this type already: to move it here. */
export function YearTaken({ slot }: { slot: Slot }): JSX.Element | null {
  const { api } = useSession();
  const [state] = useLoad(api.reservations);
  const { state: sending, run } = useAction();
  const mine = state.kind === "ready" ? state.value.find((one) => canMoveTo(one, slot)) : undefined;
  if (!mine) return null;
  const move = async () => {
    const done = await run(async (key) => void (await api.move(mine.id, slot.id, key)));
    if (done) navigate(`/reservations/${mine.id}`, { replace: true, notice: "予約の日時を変更しました。" });
  };
  return (
    <>
      <p>いまの予約：{formatSpan(mine)}</p>
      <ActionTrouble state={sending} />
      <div class="actions">
        <button type="button" class="button" aria-disabled={sending.kind === "sending"} onClick={move}>
          {sending.kind === "sending" ? "変更しています…" : "いまの予約を、この枠に変更する"}
        </button>
      </div>
    </>
  );
}

function canMoveTo(reservation: Reservation, slot: Slot): boolean {
  const sameYear = reservation.reservationTypeId === slot.reservationTypeId && reservation.periodKey === periodOf(slot.serviceDateLocal);
  return sameYear && reservation.canceledAt === null && !isOver(reservation);
}
