import type { JSX } from "preact";
import { formatWithWeekday } from "../../../kit/dates";
import { useLoad } from "../../../kit/load";
import { navigate } from "../../../kit/router";
import type { Reservation, Slot } from "../api/shapes";
import { formatMoment, formatSpan } from "../days";
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
  const kind = kindOf(slot, moving?.id ?? null);
  if (kind === "open") return moving ? <Move {...props} moving={moving} /> : <Book {...props} />;
  if (kind === "change") return <Change {...props} />;
  return (
    <Sheet title={kind === "mine" ? "予約済みの枠です" : formatSpan(slot)} onClose={onClose}>
      <Facts of={slot} typeName={slot.reservationTypeName} description={slot.typeDescription}>
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
      {kind === "full" && (slot.waitable && !moving ? <JoinWaiting {...props} /> : <p>{reasonText(slot)}いまはキャンセル待ちもできません。ほかの枠を選んでください。</p>)}
      {(kind === "closed" || kind === "barred") && <p>{reasonText(slot)}</p>}
      <Close onClose={onClose} />
    </Sheet>
  );
}

function Book({ slot, onClose, onChanged }: SlotSheetProps): JSX.Element {
  const { api, profile, askForMissing } = useSession();
  const { state, run } = useAction();
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
      <Booker />
      <Facts of={slot} typeName={slot.reservationTypeName} description={slot.typeDescription}>
        <Price slot={slot} />
      </Facts>
      {slot.priceJpy !== null && <NextSteps slot={slot} />}
      {slot.bookingEnd && <p class="note">受付の締切：{formatWithWeekday(slot.bookingEnd)}</p>}
      <ActionTrouble state={state} />
      <div class="actions">
        {profile.missing.length > 0 ? (
          <>
            <p class="say say-warn">予約の前に、まだ登録のない項目の入力が必要です。</p>
            <button type="button" class="button" onClick={askForMissing}>
              未入力の項目を入力する
            </button>
          </>
        ) : (
          <button type="button" class="button" aria-disabled={state.kind === "sending"} onClick={book}>
            {bookWords(slot.priceJpy !== null, state.kind)}
          </button>
        )}
      </div>
      <Close onClose={onClose} />
    </Sheet>
  );
}

/** The person cannot have a second reservation, but can move the one that they have: it is asked for by its id. */
function Change(props: SlotSheetProps): JSX.Element {
  const { slot, onClose } = props;
  const { api } = useSession();
  const [state, reload] = useLoad(async () => (await api.reservations()).find(({ id }) => id === slot.replaceable) ?? null);
  if (state.kind === "ready" && state.value) return <Move {...props} moving={state.value} />;
  return (
    <Sheet title={formatSpan(slot)} onClose={onClose}>
      {state.kind === "loading" ? (
        <p role="status">いまの予約を読み込んでいます…</p>
      ) : (
        <>
          <p class="say say-warn">いまの予約を読み込めませんでした。</p>
          <div class="actions">
            <button type="button" class="button" onClick={reload}>
              もう一度試す
            </button>
          </div>
        </>
      )}
      <Close onClose={onClose} />
    </Sheet>
  );
}

/** Whose reservation it will be: at a shared PC somebody else may still be logged in. */
function Booker(): JSX.Element {
  const { profile } = useSession();
  return (
    <p>
      <b>{profile.fullName}さん</b>（{profile.departmentName}）の予約です。
    </p>
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
    <Sheet title="いまの予約を、この日時に変更しますか？" onClose={onClose}>
      <Booker />
      <p class="from-to">
        いまの予約：<s>{formatSpan(moving)}</s>
      </p>
      <Facts of={slot} typeName={slot.reservationTypeName} description={slot.typeDescription} />
      <p class="note">変更できないときも、いまの予約はそのまま残ります。{moving.payment && "お支払いは、そのまま引き継ぎます。"}</p>
      <ActionTrouble state={state} />
      <div class="actions">
        <button type="button" class="button" aria-disabled={state.kind === "sending"} onClick={move}>
          {state.kind === "sending" ? "変更しています…" : `${formatMoment(slot)} に変更する`}
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
