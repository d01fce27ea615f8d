import type { JSX } from "preact";
import { useLoad } from "../../../kit/load";
import type { Reservation } from "../api/shapes";
import { Outdated } from "../parts/outdated";
import { useSession } from "../session/session";
import { fileAddress, googleAddress } from "./calendar-addresses";

/** The reservation for the calendar of the device, or for Google's. */
export function CalendarLinks({ reservation }: { reservation: Reservation }): JSX.Element {
  const { api } = useSession();
  const [state, reload] = useLoad(() => api.calendar(reservation.id));
  if (state.kind === "failed") return <Outdated text="カレンダーのファイルを用意できませんでした。" retry={reload} />;
  if (state.kind === "loading") {
    return (
      <div role="status" aria-label="読み込んでいます">
        <div class="skeleton skeleton-row" />
      </div>
    );
  }
  return (
    <div class="actions">
      <a class="button" href={fileAddress(state.value.url)} target="_blank" rel="noopener noreferrer">
        スマートフォンのカレンダー
      </a>
      {reservation.canceledAt === null && (
        <a class="button button-quiet" href={googleAddress(reservation)} target="_blank" rel="noopener noreferrer">
          Googleカレンダー
        </a>
      )}
    </div>
  );
}
