import type { JSX } from "preact";
import { Link } from "../../../kit/router";
import type { Slot } from "../api/shapes";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";
import { reasonText } from "./slot-words";

interface WaitingProps {
  slot: Slot;
  onClose: () => void;
  onChanged: () => void;
}

/** For a full slot: the person says yes in advance, and a freed seat becomes their reservation by itself. */
export function JoinWaiting({ slot, onClose, onChanged }: WaitingProps): JSX.Element {
  const { api, profile, askForMissing } = useSession();
  const { state, run } = useAction();
  const join = async () => {
    const done = await run(async (key) => void (await api.wait(slot.id, key)));
    onChanged();
    if (done) onClose();
  };
  return (
    <>
      <p class="say say-warn">{reasonText(slot)}</p>
      <p>
        「空いたら自動で予約」を選ぶと、席が空いたときに<b>先に待っている方から順に、確認なしで予約が確定します</b>。
        {slot.waitingCount > 0 ? `いま${slot.waitingCount}人が待っています。` : "いま待っている方はいません。"}
        待っている間も、ほかの枠を予約できます。同じ種類の予約が決まると、待つのは終わりになります。
      </p>
      <Unreached slot={slot} />
      <ActionTrouble state={state} />
      <div class="actions">
        {profile.missing.length > 0 ? (
          <button type="button" class="button" onClick={askForMissing}>
            未入力の項目を入力する
          </button>
        ) : (
          <button type="button" class="button" aria-disabled={state.kind === "sending"} onClick={join}>
            {state.kind === "sending" ? "登録しています…" : "空いたら自動で予約"}
          </button>
        )}
      </div>
    </>
  );
}

/** The seat comes by itself, so somebody whom no notice reaches would not know of it. */
function Unreached({ slot }: { slot: Slot }): JSX.Element | null {
  const { profile } = useSession();
  if (profile.lineState === "reachable" || (slot.mailFallback && profile.email !== null)) return null;
  return (
    <div class="say say-warn">
      <p>
        いまのままでは、席が取れてもお知らせが届きません（事務局が電話でお知らせします）。
        {slot.mailFallback ? "LINEと連携するか、メールアドレスを登録すると届きます。" : "LINEと連携し、公式アカウントを友だちに追加すると届きます。"}
      </p>
      <Link class="button button-small" to="/profile">
        お知らせの届け先を登録する
      </Link>
    </div>
  );
}

export function StopWaiting({ slot, onClose, onChanged }: WaitingProps): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const stop = async () => {
    const place = slot.myWaitingId;
    if (place === null) return;
    const done = await run((key) => api.stopWaiting(place, key));
    onChanged();
    if (done) onClose();
  };
  return (
    <>
      <p>この枠の空きを待っています。席が空くと、順番に自動で予約が確定します。</p>
      <ActionTrouble state={state} />
      <div class="actions">
        <button type="button" class="button button-quiet" aria-disabled={state.kind === "sending"} onClick={stop}>
          {state.kind === "sending" ? "取りやめています…" : "待つのをやめる"}
        </button>
      </div>
    </>
  );
}
