import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isStale } from "../../../api/errors";
import { BackLink } from "../../../kit/back-link";
import { navigate } from "../../../kit/router";
import type { Profile } from "../api/shapes";
import { StaffScreen } from "../frame/staff-screen";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { PinField } from "../pin/pin-field";
import { PIN_LENGTH } from "../pin/pin-rules";
import { useSession } from "../session/session";
import { focusFirst } from "./complete";
import { changesOf, FIELDS, type FieldName, needsPin, serverTroubles, type Troubles, troublesOf, valuesOf } from "./fields";
import { PersonFields } from "./person-fields";

const BACK = <BackLink to="/profile">わたしへ</BackLink>;

export function EditPage(): JSX.Element {
  const { api, profile, changed } = useSession();
  const [values, setValues] = useState(() => valuesOf(profile));
  const [pin, setPin] = useState("");
  const [troubles, setTroubles] = useState<Troubles>({});
  const { state, run } = useAction();
  // What was never filled in may stay empty here; what stands there cannot be emptied.
  const names = FIELDS.filter((name) => name !== "emrPatientId" || profile.emrPatientId === null);
  const filled = names.filter((name) => profile[name] || values[name].replaceAll("-", "").trim() !== "");
  const change = changesOf(profile, filled, values);
  const asksPin = needsPin(change);

  const submit = async (event: Event) => {
    event.preventDefault();
    const found = troublesOf(filled, values);
    if (asksPin && pin.length !== PIN_LENGTH) found["currentPin"] = "暗証番号（PIN）4桁を入力してください。";
    setTroubles(found);
    if (Object.keys(found).length > 0) return focusFirst();
    if (Object.keys(change).length === 0) return navigate("/profile", { replace: true, notice: "変更はありませんでした。" });
    let newest: Profile | null = null;
    await run(async () => {
      try {
        newest = await api.changeMe(profile.version, change, asksPin ? pin : null);
      } catch (error) {
        setTroubles(serverTroubles(error));
        if (isStale(error)) changed(await api.me());
        throw error;
      }
    });
    if (!newest) return focusFirst();
    changed(newest);
    navigate("/profile", { replace: true, notice: "登録内容を変更しました。" });
  };

  return (
    <StaffScreen title="登録内容の変更" back={BACK}>
      <form class="card" onSubmit={submit} noValidate>
        <PersonFields
          api={api}
          names={names}
          values={values}
          departmentName={profile.departmentName}
          onChange={(name: FieldName, value) => setValues((before) => ({ ...before, [name]: value }))}
          troubles={troubles}
        />
        {asksPin && (
          <PinField
            id="current-pin"
            label="いまの暗証番号（PIN）"
            hint="お名前と患者IDの変更には、ご本人の確認が必要です。"
            value={pin}
            onChange={setPin}
            trouble={troubles["currentPin"] ?? ""}
          />
        )}
        <ActionTrouble state={state} />
        <button type="submit" class="button" aria-disabled={state.kind === "sending"}>
          {state.kind === "sending" ? "変更しています…" : "変更する"}
        </button>
      </form>
      <p class="note">職員番号と、登録済みの患者IDの変更は、健診・予約の担当者に依頼してください。</p>
    </StaffScreen>
  );
}
