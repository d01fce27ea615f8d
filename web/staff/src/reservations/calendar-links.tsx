import type { JSX } from "preact";
import { type Loaded, useLoad } from "../../../kit/load";
import { RenewLinks } from "../../../kit/renew-links";
import type { CalendarLink, Reservation } from "../api/shapes";
import { Outdated } from "../parts/outdated";
import { useSession } from "../session/session";
import { fileAddress, googleAddress } from "./calendar-addresses";

/** The reservation for the calendar of the device, or for Google's. */
export function CalendarLinks({ reservation }: { reservation: Reservation }): JSX.Element {
  const { api } = useSession();
  const [state, reload] = useLoad(() => api.calendar(reservation.id));
  async function renew(): Promise<void> {
    await api.renewCalendarLinks();
    reload();
  }
  return (
    <>
      <Links reservation={reservation} state={state} reload={reload} />
      <RenewLinks scope="どの予約のものも" renew={renew} />
    </>
  );
}

interface LinksProps {
  reservation: Reservation;
  state: Loaded<CalendarLink>;
  reload: () => void;
}

function Links({ reservation, state, reload }: LinksProps): JSX.Element {
  // An address from before the renewal opens nothing any more, so it is not shown when the new one does not come.
  if (state.kind === "failed" || (state.kind === "ready" && state.old)) return <Outdated text="カレンダーのファイルを用意できませんでした。" retry={reload} />;
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
