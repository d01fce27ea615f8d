import type { JSX } from "preact";
import { ApiError } from "../../../api/errors";
import { formatWithWeekday } from "../../../kit/dates";
import { navigate } from "../../../kit/router";
import type { Reservation, Slot } from "../api/shapes";
import { formatSpan } from "../days";
import { ActionTrouble } from "../parts/action-trouble";
import { Facts } from "../parts/facts";
import { Sheet } from "../parts/sheet";
import { type ActionState, useAction } from "../parts/use-action";
import { leaveTo } from "../payments/leave";
import { formatYen } from "../payments/money";
import { isConfirmed } from "../payments/pay-state";
import { useSession } from "../session/session";
import { JoinWaiting, StopWaiting } from "./waiting";
import { NextSteps } from "./next-steps";
import { kindOf, reasonText } from "./slot-words";
import { YearTaken } from "./year-taken";

interface SlotSheetProps {
  slot: Slot;
  /** The reservation that moves to the slot; null: a new one. */
  moving: Reservation | null;
  onClose: () => void;
  /** The seats have changed, by this person or by others. */
  onChanged: () => void;
}

/** What happens with a slot that was tapped: book it, move to it, wait for it, or hear why not. */
export function SlotSheet(props: SlotSheetProps): JSX.Element {
  const { slot, moving, onClose } = props;
  const kind = kindOf(slot);
  if (kind === "open") return moving ? <Move {...props} moving={moving} /> : <Book {...props} />;
  return (
    <Sheet title={kind === "mine" ? "予約済みの枠です" : formatSpan(slot)} onClose={onClose}>
      <Facts of={slot} typeName={slot.reservationTypeName}>
        <Price slot={slot} />
      </Facts>
      {kind === "mine" && (
        <div class="actions">
          <button type="button" class="button" onClick={() => navigate(`/reservations/${slot.myReservationId}`, { replace: true })}>
            予約の内容を見る
          </button>
        </div>
      )}
      {kind === "waiting" && <StopWaiting {...props} />}
      {kind === "full" && (moving || slot.priceJpy !== null ? <p>{reasonText(slot)}ほかの枠を選んでください。</p> : <JoinWaiting {...props} />)}
      {kind === "closed" && <p>{reasonText(slot)}</p>}
      <Close onClose={onClose} />
    </Sheet>
  );
}

function Book({ slot, onClose, onChanged }: SlotSheetProps): JSX.Element {
  const { api, profile, askForMissing } = useSession();
  const { state, run } = useAction();
  const error = state.kind === "failed" ? state.error : null;
  const refusal = error instanceof ApiError ? error.code : null;
  const book = async () => {
    let made: Reservation | undefined;
    const done = await run(async (key) => {
      made = await api.book(slot.id, key);
    });
    if (!done || !made) return onChanged();
    // The reservation stands in the history before the payment page: there the way back leads to.
    navigate(`/reservations/${made.id}`, { replace: true, notice: isConfirmed(made) ? "予約しました。" : "席をお取り置きしました。" });
    if (made.payment?.checkoutUrl) leaveTo(made.payment.checkoutUrl);
  };
  return (
    <Sheet title="この枠を予約しますか？" onClose={onClose}>
      <Facts of={slot} typeName={slot.reservationTypeName}>
        <Price slot={slot} />
      </Facts>
      {slot.priceJpy !== null && <NextSteps slot={slot} />}
      {slot.bookingEnd && <p class="note">受付の締切：{formatWithWeekday(slot.bookingEnd)}</p>}
      <ActionTrouble state={state} />
      {refusal === "ALREADY_BOOKED_THIS_YEAR" && <YearTaken slot={slot} />}
      <div class="actions">
        {profile.missing.length > 0 ? (
          <>
            <p class="say say-warn">予約の前に、まだ登録のない項目の入力が必要です。</p>
            <button type="button" class="button" onClick={askForMissing}>
              未入力の項目を入力する
            </button>
          </>
        ) : (
          refusal !== "ALREADY_BOOKED_THIS_YEAR" && (
            <button type="button" class="button" aria-disabled={state.kind === "sending"} onClick={book}>
              {bookWords(slot.priceJpy !== null, state.kind)}
            </button>
          )
        )}
      </div>
      <Close onClose={onClose} />
    </Sheet>
  );
}

function Move({ slot, moving, onClose, onChanged }: SlotSheetProps & { moving: Reservation }): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const move = async () => {
    const done = await run(async (key) => void (await api.move(moving.id, slot.id, key)));
    if (done) navigate(`/reservations/${moving.id}`, { replace: true, notice: "予約の日時を変更しました。" });
    else onChanged();
  };
  return (
    <Sheet title="この日時に変更しますか？" onClose={onClose}>
      <p class="from-to">
        <s>{formatSpan(moving)}</s>
      </p>
      <Facts of={slot} typeName={slot.reservationTypeName} />
      <p class="note">変更できないときも、いまの予約はそのまま残ります。{moving.payment && "お支払いは、そのまま引き継ぎます。"}</p>
      <ActionTrouble state={state} />
      <div class="actions">
        <button type="button" class="button" aria-disabled={state.kind === "sending"} onClick={move}>
          {state.kind === "sending" ? "変更しています…" : "変更する"}
        </button>
      </div>
      <Close onClose={onClose} />
    </Sheet>
  );
}

function bookWords(priced: boolean, state: ActionState["kind"]): string {
  if (state === "sending") return priced ? "席をお取り置きしています…" : "予約しています…";
  const words = priced ? "支払いへ進む" : "予約する";
  return state === "idle" ? words : `もう一度、${words}`;
}

function Price({ slot }: { slot: Slot }): JSX.Element | null {
  if (slot.priceJpy === null) return null;
  return (
    <>
      <dt>料金</dt>
      <dd>
        <b>{formatYen(slot.priceJpy)}</b>
      </dd>
    </>
  );
}

function Close({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <div class="actions">
      <button type="button" class="button button-quiet" onClick={onClose}>
        閉じる
      </button>
    </div>
  );
}
