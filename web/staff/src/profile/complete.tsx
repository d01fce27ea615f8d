import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isStale } from "../../../api/errors";
import { Screen } from "../../../kit/screen";
import type { Profile } from "../api/shapes";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { PinField } from "../pin/pin-field";
import { PIN_LENGTH } from "../pin/pin-rules";
import { useSession } from "../session/session";
import { changesOf, type FieldName, needsPin, serverTroubles, type Troubles, troublesOf, valuesOf } from "./fields";
import { PersonFields } from "./person-fields";

const NAMES: readonly FieldName[] = ["familyName", "givenName"];

interface CompleteProps {
  /** The PIN that was typed a moment ago, so that nobody has to type it again. */
  pin: string | null;
  onLater: () => void;
}

/** Asks for what a reservation needs and for nothing else. Who was imported with one name for both may put it right. */
export function Complete({ pin: known, onLater }: CompleteProps): JSX.Element {
  const { api, profile, changed } = useSession();
  const [values, setValues] = useState(() => valuesOf(profile));
  const [withNames, setWithNames] = useState(profile.givenName === "");
  const [pin, setPin] = useState("");
  const [askPin, setAskPin] = useState(known === null);
  const [troubles, setTroubles] = useState<Troubles>({});
  const { state, run } = useAction();
  const names = [...(withNames ? NAMES : []), ...(profile.missing as FieldName[])];
  const change = changesOf(profile, names, values);
  const pinIsAsked = askPin && (needsPin(change) || profile.missing.includes("emrPatientId"));

  const submit = async (event: Event) => {
    event.preventDefault();
    const found = troublesOf(names, values);
    if (pinIsAsked && pin.length !== PIN_LENGTH) found["currentPin"] = "暗証番号（PIN）4桁を入力してください。";
    setTroubles(found);
    if (Object.keys(found).length > 0) return focusFirst();
    let newest: Profile | null = null;
    await run(async () => {
      try {
        newest = await api.changeMe(profile.version, change, needsPin(change) ? (pinIsAsked ? pin : known) : null);
      } catch (error) {
        setTroubles(serverTroubles(error));
        if ("currentPin" in serverTroubles(error)) setAskPin(true);
        // Somebody else, perhaps another tab, has changed the profile: the next try is about the newest one.
        if (isStale(error)) changed(await api.me());
        throw error;
      }
    });
    if (newest) changed(newest);
    else focusFirst();
  };

  return (
    <Screen title="予約に必要な項目の入力" heading={<>予約の前に、<span class="phrase">入力をお願いします</span></>}>
      <p>予約に必要な項目のうち、まだ登録のないものだけをお聞きします。</p>
      <form class="card" onSubmit={submit} noValidate>
        {!withNames && (
          <div class="known">
            <span>
              お名前
              <b>{profile.fullName}</b>
            </span>
            <button type="button" class="button button-small button-quiet" onClick={() => setWithNames(true)}>
              直す
            </button>
          </div>
        )}
        {withNames && <p class="note">お名前が正しく登録されているか、確かめてください。姓と名を分けて入力します。</p>}
        <PersonFields
          api={api}
          names={names}
          values={values}
          onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          troubles={troubles}
        />
        {pinIsAsked && (
          <PinField id="current-pin" label="暗証番号（PIN）" hint="ご本人の確認のためです。" value={pin} onChange={setPin} trouble={troubles["currentPin"] ?? ""} />
        )}
        <ActionTrouble state={state} />
        <button type="submit" class="button" aria-disabled={state.kind === "sending"}>
          {state.kind === "sending" ? "登録しています…" : "登録して予約へ進む"}
        </button>
      </form>
      <div class="actions">
        <button type="button" class="button button-quiet" onClick={onLater}>
          あとで入力する（予約枠を見る）
        </button>
      </div>
      <p class="note">患者IDがわからないときは、健診・予約の担当者にお問い合わせください。</p>
    </Screen>
  );
}

/** After the drawing: the first field that says what is wrong with it. */
export function focusFirst(): void {
  setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
