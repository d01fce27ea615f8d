import type { JSX } from "preact";
import { useLooking } from "./arrival";

interface ConfirmingProps {
  id: number;
  look: () => void;
  onNotPaid: () => void;
}

/** After the payment page: the reservation becomes certain when the payment company tells the server. */
export function Confirming({ id, look, onNotPaid }: ConfirmingProps): JSX.Element {
  const [slow, again] = useLooking(true, look);
  return (
    <section class="card confirming" aria-labelledby="confirming">
      <div role="status">
        <h2 id="confirming">{slow ? "確認に時間がかかっています" : "お支払いを確認しています"}</h2>
        {!slow && <span class="spinner" aria-hidden="true" />}
        <p>
          {slow
            ? "お支払いが済んでいれば、もう一度支払う必要はありません。確認できしだい予約が確定し、この画面と「予約の確認」に表示されます。"
            : "ふつうは数秒で終わります。この画面を閉じても、お支払いと予約には影響ありません。"}
        </p>
      </div>
      {slow && (
        <div class="actions">
          <button type="button" class="button" onClick={again}>
            もう一度確認する
          </button>
          <button type="button" class="button button-quiet" onClick={onNotPaid}>
            まだ支払っていない
          </button>
          <p class="note">支払ったのに30分たっても確定しないときは、担当者にご連絡ください。予約番号：{id}</p>
        </div>
      )}
    </section>
  );
}
