import type { JSX } from "preact";
import { deadlineText, shownLeft, spokenLeft, useCountdown } from "./countdown";
import { formatYen } from "./money";
import { PayButton } from "./pay-button";

interface DuePanelProps {
  id: number;
  amount: number;
  until: string;
  /** The person has left the payment page without paying. */
  left: boolean;
  /** There is no payment page yet. */
  unopened: boolean;
  refund: string;
  onChanged: () => void;
}

/** A seat that is held: how much, until when, and the way to pay. */
export function DuePanel({ id, amount, until, left, unopened, refund, onChanged }: DuePanelProps): JSX.Element {
  const seconds = useCountdown(until, onChanged);
  return (
    <section class="card due" aria-labelledby="due">
      <h2 id="due">お支払いで予約が確定します</h2>
      <div role="status">{left && <p>お支払いは、まだ済んでいません。席はお取り置きしたままです。</p>}</div>
      <dl class="facts">
        <dt>料金</dt>
        <dd>
          <b>{formatYen(amount)}</b>
        </dd>
        <dt>期限</dt>
        <dd>
          <b>{deadlineText(until)}</b> まで<span class="phrase">（{shownLeft(seconds)}）</span>
        </dd>
      </dl>
      <p class="sr-only" role="status">
        {spokenLeft(seconds)}
      </p>
      <PayButton id={id} failed={unopened} onChanged={onChanged} />
      <p class="note">期限までにお支払いがないときは、席のお取り置きを自動で取り消します。{refund}</p>
    </section>
  );
}
