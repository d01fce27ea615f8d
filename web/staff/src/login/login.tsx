import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatRemaining } from "../../../api/times";
import { isInLine } from "../../../kit/in-line";
import { Link } from "../../../kit/router";
import { Screen } from "../../../kit/screen";
import type { LoginResult } from "../api/shapes";
import type { StaffApi } from "../api/staff-api";
import { useAction } from "../parts/use-action";
import { useWait } from "../parts/wait";
import { NumberPad } from "../pin/number-pad";
import { PinField } from "../pin/pin-field";
import { digitsOf, PIN_LENGTH } from "../pin/pin-rules";
import { loginTrouble, missingInput } from "./login-words";

const LONGEST_STAFF_ID = 20;

interface LoginProps {
  api: StaffApi;
  /** What to say first, such as why the person was logged out. */
  notice: string;
  /** The number of somebody who has just registered. */
  staffId?: string;
  onLogin: (result: LoginResult, pin: string, own: boolean) => void;
}

export function Login({ api, notice, staffId: known = "", onLogin }: LoginProps): JSX.Element {
  const [staffId, setStaffId] = useState(known);
  const [pin, setPin] = useState("");
  const [own, setOwn] = useState(isInLine);
  const [missing, setMissing] = useState<ReturnType<typeof missingInput>>(null);
  const { state, run } = useAction();
  const error = state.kind === "failed" ? state.error : null;
  const left = useWait(error);
  const numberField = useRef<HTMLInputElement>(null);
  const pinField = useRef<HTMLInputElement>(null);

  const type = (next: string) => {
    setPin(next.slice(0, PIN_LENGTH));
    pinField.current?.focus();
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    const found = missingInput(staffId, pin);
    setMissing(found);
    if (found) return (found.field === "pin" ? pinField : numberField).current?.focus();
    if (left > 0) return;
    const done = await run(async () => onLogin(await api.client.login(staffId, pin), pin, own));
    if (done) return;
    setPin("");
    pinField.current?.focus();
  };

  return (
    <Screen title="職員ログイン" heading="職員の予約">
      {notice && (
        <p class="say" role="status">
          {notice}
        </p>
      )}
      <form class="login" onSubmit={submit} noValidate>
        <div>
          <div class="entry">
            <label for="staff-id">職員番号</label>
            <input
              ref={numberField}
              id="staff-id"
              class="field"
              type="text"
              inputMode="numeric"
              autocomplete="off"
              maxLength={LONGEST_STAFF_ID}
              value={staffId}
              onInput={(event) => {
                const typed = digitsOf(event.currentTarget.value, LONGEST_STAFF_ID);
                event.currentTarget.value = typed;
                setStaffId(typed);
              }}
              aria-describedby="staff-id-trouble"
              aria-invalid={missing?.field === "staffId"}
            />
            <div id="staff-id-trouble" role="alert">
              {missing?.field === "staffId" && <p class="trouble">{missing.text}</p>}
            </div>
          </div>
          <PinField
            id="pin"
            label="暗証番号（PIN）4桁"
            value={pin}
            onChange={setPin}
            withPad
            trouble={missing?.field === "pin" ? missing.text : ""}
            inputRef={pinField}
          />
        </div>
        <NumberPad onDigit={(digit) => type(pin + digit)} onErase={() => type(pin.slice(0, -1))} />
        <div class="login-end">
          <Trouble error={error} left={left} />
          <label class="tick">
            <input type="checkbox" checked={own} onChange={(event) => setOwn(event.currentTarget.checked)} />
            <span>
              自分のスマートフォンです
              <small>{own ? "操作がなくてもログアウトしません。" : "共用のパソコンでは選ばないでください。"}</small>
            </span>
          </label>
          <button type="submit" class="button" aria-disabled={state.kind === "sending" || left > 0}>
            {state.kind === "sending" ? "確かめています…" : "ログイン"}
          </button>
          <p>
            <b>はじめての方</b>は、職員番号と、最初の暗証番号 <b>0000</b> でログインしてください。次の画面で、あなただけの暗証番号に変えます。
          </p>
          <p class="note">共用のパソコンでは、5分操作がないと自動でログアウトします。</p>
          <ToRegister api={api} />
        </div>
      </form>
    </Screen>
  );
}

function Trouble({ error, left }: { error: unknown; left: number }): JSX.Element {
  const trouble = error === null ? null : loginTrouble(error);
  return (
    <div role="alert">
      {trouble && (
        <div class="say say-bad">
          <p class="say-title">{trouble.title}</p>
          <p>{trouble.text}</p>
          {trouble.more && <p>{trouble.more}</p>}
          {left > 0 && <p aria-live="off">あと{formatRemaining(left)}</p>}
        </div>
      )}
    </div>
  );
}

/** Last of all: whom the office knows logs in with 0000. People may register themselves where the office allows it. */
function ToRegister({ api }: { api: StaffApi }): JSX.Element | null {
  const [allowed, setAllowed] = useState(false);
  useEffect(() => {
    api.options().then(
      ({ selfRegistration }) => setAllowed(selfRegistration !== "off"),
      () => {},
    );
  }, []);
  if (!allowed) return null;
  return (
    <>
      <p class="note">0000 でログインできない方（名簿にまだ載っていない方）は、ご自分で登録できます。</p>
      <Link to="/register" class="button button-quiet">
        職員登録をする
      </Link>
    </>
  );
}
