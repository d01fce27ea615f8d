import type { JSX } from "preact";
import type { Slot } from "../api/shapes";
import { beginOf } from "../days";
import { refundRule } from "../payments/refund-words";

/** What happens after a seat with a price is taken, before anybody takes it. */
export function NextSteps({ slot }: { slot: Slot }): JSX.Element {
  return (
    <>
      <h3>このあと</h3>
      <ol class="steps">
        <li>
          席を<b>{holdText(slot.holdMinutes)}</b>お取り置きします。
        </li>
        <li>その間にお支払いください。お支払いで確定します。</li>
        <li>お支払いがないときは、自動で取り消します。</li>
      </ol>
      <p class="note">返金：{refundRule(slot.refundUntilHours, beginOf(slot))}</p>
    </>
  );
}

/** `35分`, `2時間`. */
export function holdText(minutes: number): string {
  return minutes % 60 === 0 ? `${minutes / 60}時間` : `${minutes}分`;
}
