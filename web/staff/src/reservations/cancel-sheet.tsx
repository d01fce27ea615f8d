import type { JSX } from "preact";
import { formatWithWeekday } from "../../../kit/dates";
import type { Reservation } from "../api/shapes";
import { ActionTrouble } from "../parts/action-trouble";
import { Facts } from "../parts/facts";
import { Sheet } from "../parts/sheet";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";

interface CancelSheetProps {
  reservation: Reservation;
  onClose: () => void;
  onChanged: () => void;
}

export function CancelSheet({ reservation, onClose, onChanged }: CancelSheetProps): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const cancel = async () => {
    const done = await run((key) => api.cancel(reservation.id, key));
    onChanged();
    if (done) onClose();
  };
  return (
    <Sheet title="この予約を取り消しますか？" onClose={onClose}>
      <Facts span={reservation} typeName={reservation.reservationTypeName} notes={reservation.notes} />
      <p>取り消すと、席はすぐにほかの方が予約できるようになります。同じ枠を取り直せないことがあります。</p>
      <p class="note">取り消しの期限：{formatWithWeekday(reservation.cancelableUntil)}</p>
      <ActionTrouble state={state} />
      <div class="actions">
        <button type="button" class="button button-danger" aria-disabled={state.kind === "sending"} onClick={cancel}>
          {state.kind === "sending" ? "取り消しています…" : "取り消す"}
        </button>
        <button type="button" class="button button-quiet" onClick={onClose}>
          取り消さない
        </button>
      </div>
    </Sheet>
  );
}
