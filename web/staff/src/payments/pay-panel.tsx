import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatWithWeekday } from "../../../kit/dates";
import { useNoticeEnd } from "../../../kit/router";
import type { Reservation } from "../api/shapes";
import type { Arrival } from "./arrival";
import { Confirming } from "./confirming";
import { DuePanel } from "./due-panel";
import { formatYen } from "./money";
import type { PayState } from "./pay-state";
import { receiptNote } from "./receipt";
import { refundUntilText } from "./refund-words";

interface PayPanelProps {
  reservation: Reservation;
  state: PayState;
  /** How the person came here, until it is settled. */
  arrival: Arrival;
  settled: () => void;
  look: () => void;
}

/** What is to be done or known about the payment of a reservation, above everything else. */
export function PayPanel({ reservation, state, arrival, settled, look }: PayPanelProps): JSX.Element {
  const [thanks, setThanks] = useState(false);
  // Once the server has decided, the address no longer says how the person came: a reload shows what is.
  useEffect(() => {
    if (arrival === null || state.kind === "due") return;
    setThanks(arrival === "paid" && state.kind === "paid");
    settled();
  }, [arrival, state.kind]);
  useNoticeEnd(() => setThanks(false));
  return (
    <>
      <div role="status">{thanks && <p class="say say-good">お支払いを確認しました。予約が確定しました。</p>}</div>
      <Panel {...{ reservation, state, arrival, settled, look }} />
    </>
  );
}

function Panel({ reservation, state, arrival, settled, look }: PayPanelProps): JSX.Element | null {
  switch (state.kind) {
    case "due":
      if (arrival === "paid") return <Confirming id={reservation.id} look={look} onNotPaid={settled} />;
      return (
        <DuePanel
          id={reservation.id}
          amount={state.amount}
          until={state.until}
          left={arrival === "left"}
          unopened={reservation.payment?.status === "CREATING"}
          refund={refundUntilText(reservation.refundUntil)}
          onChanged={look}
        />
      );
    case "konbini":
      return (
        <section class="card due" aria-labelledby="due">
          <h2 id="due">コンビニでのお支払いを待っています</h2>
          <p>
            {formatYen(state.amount)}を、<b>{formatWithWeekday(state.until)}</b> までに、払込票の番号でお支払いください。お支払いが確認できると、予約が確定します。
          </p>
          <p class="note">お支払いの確認には、1時間ほどかかることがあります。払込票は、支払い画面か、Stripeからのメールで見られます。</p>
        </section>
      );
    case "expired":
      return (
        <p class="say say-warn" role="status">
          お支払いの期限が過ぎたため、席のお取り置きを取り消しました。料金はかかっていません。もう一度予約できます。
        </p>
      );
    default: {
      const note = receiptNote(state);
      return note ? <p class="say say-plain">{note}</p> : null;
    }
  }
}
