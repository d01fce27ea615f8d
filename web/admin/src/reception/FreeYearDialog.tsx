import { useRef } from "react";
import { answerOf, api } from "../api/client";
import { dayText, rangeText } from "../booking/days";
import { ReasonDialog } from "../booking/ReasonDialog";
import type { Reservation } from "../booking/shapes";

const USUAL = ["当日の急な欠勤", "体調不良のため", "勤務の都合のため"] as const;

/** Whether somebody who did not come may book again in the same fiscal year. The record of the absence stays. */
export function FreeYearDialog({ reservation, close }: { reservation: Reservation | null; close: () => void }) {
  // While the dialog closes it still shows whom it was about.
  const last = useRef(reservation);
  if (reservation) last.current = reservation;
  const shown = reservation ?? last.current;
  if (!shown) return null;
  const frees = !shown.freesYear;
  return (
    <ReasonDialog
      opened={reservation !== null}
      close={close}
      title={frees ? "もう一度予約できるようにする" : "年度の1回に数える"}
      usual={USUAL}
      action={frees ? "もう一度予約できるようにする" : "年度の1回に数える"}
      run={(reason) =>
        answerOf(
          api.PUT("/api/admin/reservations/{reservation_id}/attendance", {
            params: { path: { reservation_id: shown.id } },
            body: { attendance: "absent", freesYear: frees, reason },
          }),
        )
      }
    >
      <p>
        <strong>{shown.fullName}</strong>さんは、{dayText(shown.serviceDateLocal)} {rangeText(shown)}「{shown.reservationTypeName}」に来なかったと記録されています。
        {frees
          ? "同じ年度に、もう一度予約できるようになります。来なかった記録は残り、「まだの方」にも数えられ、お知らせの対象になります。"
          : "この欠席を年度の1回に数えるので、同じ年度には予約できなくなります。"}
      </p>
    </ReasonDialog>
  );
}

/** Words for the menu entry that opens the dialog. */
export function freeYearWords({ freesYear }: Reservation): string {
  return freesYear ? "この欠席を年度の1回に数える" : "もう一度予約できるようにする";
}
