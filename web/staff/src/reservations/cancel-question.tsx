import type { JSX } from "preact";
import { formatWithWeekday } from "../../../kit/dates";
import type { Reservation } from "../api/shapes";
import { ActionTrouble } from "../parts/action-trouble";
import { Facts } from "../parts/facts";
import { useAction } from "../parts/use-action";
import { payStateOf } from "../payments/pay-state";
import { cancelWords } from "../payments/refund-words";
import { useSession } from "../session/session";

interface CancelQuestionProps {
  reservation: Reservation;
  onKeep: () => void;
  onDone: () => void;
  /** It may be otherwise than it is shown. */
  onRefused: () => void;
}

/** What cancelling means, for the seat and for the money, and the two answers. */
export function CancelQuestion({ reservation, onKeep, onDone, onRefused }: CancelQuestionProps): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const money = cancelWords(payStateOf(reservation), reservation.refundUntil);
  const cancel = async () => {
    if (await run((key) => api.cancel(reservation.id, key))) onDone();
    else onRefused();
  };
  return (
    <>
      <Facts of={reservation} typeName={reservation.reservationTypeName} />
      {money && <p class={money.lost ? "say say-warn" : "say say-plain"}>{money.text}</p>}
      <p>取り消すと、席はすぐにほかの方が予約できるようになります。同じ枠を取り直せないことがあります。</p>
      <p class="note">取り消しの期限：{formatWithWeekday(reservation.cancelableUntil)}</p>
      <ActionTrouble state={state} />
      <div class="actions">
        <button type="button" class="button button-danger" aria-disabled={state.kind === "sending"} onClick={cancel}>
          {state.kind === "sending" ? "取り消しています…" : money?.lost ? "返金なしで取り消す" : "取り消す"}
        </button>
        <button type="button" class="button button-quiet" onClick={onKeep}>
          取り消さない
        </button>
      </div>
    </>
  );
}
