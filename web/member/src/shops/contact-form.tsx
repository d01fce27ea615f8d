import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { LinkedShop, TypedContact } from "./shapes";
import { lacking, troubleWords, type Wrong, wrongFields } from "./words";

interface ContactFormProps {
  found: LinkedShop;
  typed: TypedContact;
  /** Why the same form is shown again; empty at the first time. */
  message: string;
  send: (contact: TypedContact) => Promise<void>;
}

export function ContactForm({ found, typed, message, send }: ContactFormProps): JSX.Element {
  const [contact, setContact] = useState(typed);
  const [wrong, setWrong] = useState<Wrong>({});
  const [trouble, setTrouble] = useState("");
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const complain = (fields: Wrong) => {
    setWrong(fields);
    const first = (["email", "phone_number", "name"] as const).find((name) => fields[name]);
    form.current?.querySelector<HTMLInputElement>(`#${first}`)?.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (sending) return;
    setTrouble("");
    const missing = lacking(contact);
    if (Object.keys(missing).length > 0) return complain(missing);
    setWrong({});
    setSending(true);
    send(contact).catch((error: unknown) => {
      setSending(false);
      const fields = wrongFields(error);
      if (fields) complain(fields);
      else setTrouble(troubleWords(error));
    });
  };
  const field = (name: keyof TypedContact) => ({
    id: name,
    class: "field",
    value: contact[name],
    onInput: (event: { currentTarget: HTMLInputElement }) => setContact({ ...contact, [name]: event.currentTarget.value }),
    "aria-invalid": wrong[name] !== undefined,
    "aria-describedby": `${name}-wrong`,
  });

  return (
    <form ref={form} class="card asking" onSubmit={submit} noValidate>
      <div role="status">
        <p class={`say ${found.state === "broken" || message ? "say-warn" : ""}`}>{message || found.message}</p>
      </div>
      <p>予約のときに使ったメールアドレスに、確認コードをお送りします。コードを入力すると、連携が完了します。</p>
      <label for="email">メールアドレス</label>
      <input {...field("email")} type="email" inputMode="email" autocomplete="email" autocapitalize="none" maxLength={254} />
      <Fault name="email" wrong={wrong} />
      <label for="phone_number">電話番号</label>
      <input {...field("phone_number")} type="tel" inputMode="tel" autocomplete="tel" maxLength={40} />
      <Fault name="phone_number" wrong={wrong} />
      <label for="name">お名前（任意）</label>
      <input {...field("name")} type="text" autocomplete="name" maxLength={100} />
      <Fault name="name" wrong={wrong} />
      <div role="alert">{trouble && <p class="say say-bad">{trouble}</p>}</div>
      <button type="submit" class="button" aria-disabled={sending}>
        {sending ? "送っています…" : "確認コードを送る"}
      </button>
    </form>
  );
}

function Fault({ name, wrong }: { name: keyof TypedContact; wrong: Wrong }): JSX.Element {
  return (
    <div id={`${name}-wrong`} role="alert">
      {wrong[name] && <p class="say say-bad">{wrong[name]}</p>}
    </div>
  );
}
