import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../../api/errors";
import { digitsOf, troubleWords } from "./words";

interface CodeFormProps {
  /** Where the code goes: without the wide characters that were typed, as the server takes it. */
  address: string;
  confirm: (code: string) => Promise<void>;
  /** Another LINE user holds the customer. */
  conflict: (code: string) => void;
  again: () => void;
}

export function CodeForm({ address, confirm, conflict, again }: CodeFormProps): JSX.Element {
  const [code, setCode] = useState("");
  const [trouble, setTrouble] = useState("");
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const complain = (words: string) => {
    setSending(false);
    setTrouble(words);
    field.current?.focus();
  };
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.code === "LINK_CONFLICT") return conflict(code);
    setOver(error instanceof ApiError && error.status === 410);
    complain(troubleWords(error));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (sending) return;
    if (code.length !== 6) return complain("6桁の数字を入力してください。");
    setTrouble("");
    setSending(true);
    confirm(code).catch(refused);
  };

  return (
    <form class="card asking" onSubmit={submit} noValidate>
      <div class="say say-good" role="status">
        <p>確認コードをメールでお送りします。届いたメールの6桁の数字を入力してください。</p>
        <p>
          宛先：<strong>{address}</strong>
        </p>
      </div>
      <label for="code">確認コード（6桁）</label>
      <input
        ref={field}
        id="code"
        class="field code"
        type="text"
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={12}
        value={code}
        onInput={(event) => setCode(digitsOf(event.currentTarget.value))}
        aria-invalid={trouble !== ""}
        aria-describedby="code-note code-trouble"
      />
      <p id="code-note" class="note">
        10分間使えます。届かないときは、迷惑メールのフォルダと、上の宛先をご確認ください。宛先が違うときは「入力し直す」を押してください。
      </p>
      <div id="code-trouble" role="alert">
        {trouble && <p class="say say-bad">{trouble}</p>}
      </div>
      <div class="actions">
        {!over && (
          <button type="submit" class="button" aria-disabled={sending}>
            {sending ? "確認しています…" : "連携する"}
          </button>
        )}
        <button type="button" class={`button ${over ? "" : "button-quiet"}`} onClick={again}>
          入力し直す
        </button>
      </div>
    </form>
  );
}
