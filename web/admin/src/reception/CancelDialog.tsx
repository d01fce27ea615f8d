import { useRef } from "react";
import { answerOf, api } from "../api/client";
import { dayText, rangeText } from "../booking/days";
import { ReasonDialog } from "../booking/ReasonDialog";
import type { Reservation } from "../booking/shapes";

const USUAL = ["本人からの申し出", "体調不良のため", "会場の都合のため"] as const;

export function CancelDialog({ reservation, close }: { reservation: Reservation | null; close: () => void }) {
  // While the dialog closes it still shows whom it was about.
  const last = useRef(reservation);
  if (reservation) last.current = reservation;
  const shown = reservation ?? last.current;
  if (!shown) return null;
  return (
    <ReasonDialog
      opened={reservation !== null}
      close={close}
      title="予約を取り消す"
      usual={USUAL}
      action="予約を取り消す"
      danger
      run={(reason) => answerOf(api.POST("/api/admin/reservations/{reservation_id}/cancel", { params: { path: { reservation_id: shown.id } }, body: { reason } }))}
    >
      <p>
        <strong>{shown.fullName}</strong>さんの、{dayText(shown.serviceDateLocal)} {rangeText(shown)}「{shown.reservationTypeName}
        」の予約を取り消します。空いた席は、キャンセル待ちの方がいれば、その方の予約になります。
      </p>
    </ReasonDialog>
  );
}
