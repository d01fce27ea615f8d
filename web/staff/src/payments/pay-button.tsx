import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Payment } from "../api/shapes";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";
import { leaveTo } from "./leave";

/** After that somebody who is still here has come back, or stopped the loading. */
const LEAVING_MS = 10_000;

interface PayButtonProps {
  id: number;
  /** The payment page could not be opened a moment ago. */
  failed?: boolean;
  quiet?: boolean;
  /** The reservation may be otherwise than it is shown. */
  onChanged: () => void;
}

/** Opens the payment page: the one that is open already, or another one while the seat is held. */
export function PayButton({ id, failed = false, quiet = false, onChanged }: PayButtonProps): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const [unopened, setUnopened] = useState(failed);
  const [leaving, setLeaving] = useLeaving(onChanged);
  const busy = leaving || state.kind === "sending";
  const pay = async () => {
    if (busy) return;
    let payment: Payment | null = null;
    const done = await run(async (key) => {
      payment = await api.pay(id, key);
    });
    const opened = done && followed(payment);
    setLeaving(opened);
    setUnopened(done && !opened);
    if (!opened) onChanged();
  };
  return (
    <>
      <div role="alert">
        {unopened && !busy && (
          <p class="say say-warn">支払い画面を開けませんでした。席はお取り置きしています。少し待ってから、もう一度押してください。</p>
        )}
      </div>
      <ActionTrouble state={state} />
      <button type="button" class={quiet ? "button button-quiet" : "button"} aria-disabled={busy} onClick={pay}>
        {busy ? "支払い画面を開いています…" : unopened ? "もう一度開く" : "支払いへ進む"}
      </button>
    </>
  );
}

function followed(payment: Payment | null): boolean {
  return payment !== null && payment.checkoutUrl !== null && leaveTo(payment.checkoutUrl);
}

/** True while the browser is on its way. The page may come back as it was left, by the back button. */
function useLeaving(onBack: () => void): [boolean, (leaving: boolean) => void] {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!leaving) return;
    const back = () => {
      setLeaving(false);
      onBack();
    };
    const timer = setTimeout(back, LEAVING_MS);
    addEventListener("pageshow", back);
    return () => {
      clearTimeout(timer);
      removeEventListener("pageshow", back);
    };
  }, [leaving]);
  return [leaving, setLeaving];
}
