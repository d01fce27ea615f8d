import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../../api/errors";
import { Screen } from "../../../kit/screen";
import type { StaffApi } from "../api/staff-api";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { NumberPad } from "./number-pad";
import { PinField } from "./pin-field";
import { newPinTrouble, PIN_LENGTH } from "./pin-rules";

type Step = "current" | "new" | "again";

interface PinChangeProps {
  api: StaffApi;
  /** The PIN that was typed at the log-in a moment ago; null: it is asked for first. */
  currentPin: string | null;
  title: string;
  lead: string;
  back?: ComponentChildren;
  onDone: (newPin: string) => void;
  /** Another way out: buttons below the pad. */
  children?: ComponentChildren;
}

const LABELS: Record<Step, string> = {
  current: "いまの暗証番号（PIN）",
  new: "新しい暗証番号（PIN）4桁",
  again: "確認のため、もう一度",
};

/** One number at a time, each with the pad: the current one where it is not known, the new one, and the new one again. */
export function PinChange({ api, currentPin, title, lead, back, onDone, children }: PinChangeProps): JSX.Element {
  const first: Step = currentPin === null ? "current" : "new";
  const [step, setStep] = useState<Step>(first);
  const [current, setCurrent] = useState(currentPin ?? "");
  const [chosen, setChosen] = useState("");
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState("");
  const { state, run, reset } = useAction();
  const field = useRef<HTMLInputElement>(null);
  // Also a step back has to be heard: the field is the same element with another label.
  useEffect(() => field.current?.focus({ preventScroll: true }), [step]);

  const go = (next: Step, text = "") => {
    setStep(next);
    setTyped("");
    setTrouble(text);
  };
  const type = (next: string) => {
    setTyped(next.slice(0, PIN_LENGTH));
    field.current?.focus();
  };
  const send = async () => {
    let refused: unknown = null;
    const done = await run(async () => {
      await api.changePin(current, chosen).catch((error: unknown) => {
        refused = error;
        throw error;
      });
    });
    if (done) return onDone(chosen);
    if (!(refused instanceof ApiError)) return;
    if (refused.code === "WRONG_PIN") go("current", "いまの暗証番号（PIN）が違います。5回間違えるとロックされます。");
    else if (refused.status === 400) go("new", refused.message);
  };
  const next = (event: Event) => {
    event.preventDefault();
    reset();
    if (typed.length !== PIN_LENGTH) return setTrouble("数字4桁で入力してください。");
    if (step === "current") {
      setCurrent(typed);
      return go("new");
    }
    if (step === "new") {
      const found = newPinTrouble(typed, current);
      if (found) return go("new", found);
      setChosen(typed);
      return go("again");
    }
    if (typed !== chosen) return go("new", "2回の入力が違いました。もう一度、新しい番号を決めてください。");
    setTrouble("");
    void send();
  };

  return (
    <Screen title={title} back={back}>
      <p>{lead}</p>
      <form class="login" onSubmit={next} noValidate>
        <PinField id="pin-step" label={LABELS[step]} value={typed} onChange={setTyped} withPad trouble={trouble} inputRef={field} />
        <NumberPad onDigit={(digit) => type(typed + digit)} onErase={() => type(typed.slice(0, -1))} />
        <div class="login-end">
          <ActionTrouble state={state} hidden={trouble !== ""} />
          <button type="submit" class="button" aria-disabled={state.kind === "sending"}>
            {state.kind === "sending" ? "変更しています…" : step === "again" ? "変更する" : "次へ"}
          </button>
          {step === "again" && (
            <button type="button" class="button button-quiet" onClick={() => go("new")}>
              番号を決め直す
            </button>
          )}
          {children}
        </div>
      </form>
      <p class="note">0000、1234、1111 のような番号や、よく使われる番号は使えません。誕生日や職員番号の一部も避けてください。</p>
    </Screen>
  );
}
