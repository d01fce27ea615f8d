import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { BackLink } from "../../../kit/back-link";
import { ErrorScreen } from "../../../kit/error-screen";
import { useLoad } from "../../../kit/load";
import { Loading } from "../../../kit/loading";
import { Screen } from "../../../kit/screen";
import type { Registration } from "../api/shapes";
import type { StaffApi } from "../api/staff-api";
import { ActionTrouble } from "../parts/action-trouble";
import { TextField } from "../parts/text-field";
import { useAction } from "../parts/use-action";
import { PinField } from "../pin/pin-field";
import { digitsOf, newPinTrouble } from "../pin/pin-rules";
import { focusFirst } from "../profile/complete";
import { EMPTY, FIELDS, serverTroubles, tidied, type Troubles, troublesOf } from "../profile/fields";
import { PersonFields } from "../profile/person-fields";

interface RegisterProps {
  api: StaffApi;
  /** With the new account's number: the log-in comes next. */
  onRegistered: (staffId: string) => void;
}

const BACK = <BackLink to="/">ログインへ</BackLink>;

export function Register({ api, onRegistered }: RegisterProps): JSX.Element {
  const [state, reload] = useLoad(api.options);
  if (state.kind === "loading") return <Loading back={BACK} />;
  if (state.kind === "failed") return <ErrorScreen error={state.error} retry={reload} back={BACK} />;
  const { selfRegistration } = state.value;
  return (
    <Screen title="職員登録" back={BACK}>
      {selfRegistration === "off" ? (
        <p class="say say-warn">職員登録は受け付けていません。健診・予約の担当者に登録を依頼してください。</p>
      ) : (
        <Form api={api} withCode={selfRegistration === "code"} onRegistered={onRegistered} />
      )}
    </Screen>
  );
}

function Form({ api, withCode, onRegistered }: RegisterProps & { withCode: boolean }): JSX.Element {
  const [staffId, setStaffId] = useState("");
  const [code, setCode] = useState("");
  const [values, setValues] = useState(EMPTY);
  const [pin, setPin] = useState("");
  const [again, setAgain] = useState("");
  const [troubles, setTroubles] = useState<Troubles>({});
  const { state, run } = useAction();
  const asked = FIELDS.filter((name) => name !== "emrPatientId");

  const submit = async (event: Event) => {
    event.preventDefault();
    const found: Troubles = troublesOf(asked, values);
    if (staffId === "") found["staffId"] = "職員番号を数字で入力してください。";
    if (withCode && code.trim() === "") found["registrationCode"] = "登録コードを入力してください。";
    const pinTrouble = newPinTrouble(pin, null);
    if (pinTrouble) found["pin"] = pinTrouble;
    else if (pin !== again) found["again"] = "2回の入力が違います。";
    setTroubles(found);
    if (Object.keys(found).length > 0) return focusFirst();
    const filled = asked.map((name) => [name, tidied(name, values[name])]).filter(([, value]) => value !== "");
    const body = { ...Object.fromEntries(filled), staffId, pin, ...(withCode ? { registrationCode: code.trim() } : {}) } as Registration;
    const done = await run(async () => {
      await api.register(body).catch((error: unknown) => {
        setTroubles(serverTroubles(error));
        throw error;
      });
    });
    if (done) onRegistered(staffId);
    else focusFirst();
  };

  return (
    <form class="card" onSubmit={submit} noValidate>
      {withCode && (
        <TextField id="code" label="登録コード" hint="院内に掲示されている、最新のコードです。" value={code} onChange={setCode} maxLength={100} trouble={troubles["registrationCode"]} />
      )}
      <TextField
        id="new-staff-id"
        label="職員番号"
        hint="数字だけ。名札に書かれている番号です。"
        keys="numeric"
        maxLength={20}
        value={staffId}
        onChange={(typed) => setStaffId(digitsOf(typed, 20))}
        trouble={troubles["staffId"]}
      />
      <PersonFields
        api={api}
        names={asked}
        values={values}
        onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
        troubles={troubles}
      />
      <PinField id="new-pin" label="暗証番号（PIN）4桁" hint="最初のログインのあとで、もう一度変更していただきます。" value={pin} onChange={setPin} trouble={troubles["pin"] ?? ""} />
      <PinField id="new-pin-again" label="確認のため、もう一度" value={again} onChange={setAgain} trouble={troubles["again"] ?? ""} />
      <ActionTrouble state={state} />
      <button type="submit" class="button" aria-disabled={state.kind === "sending"}>
        {state.kind === "sending" ? "登録しています…" : "登録する"}
      </button>
    </form>
  );
}
