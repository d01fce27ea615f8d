import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { leaveRegister } from "../registration";
import { useSession } from "../session";
import { nameTrouble, registerTrouble } from "./register-words";
import { Link } from "../../../kit/router";
import { Screen } from "../../../kit/screen";

export function Register(): JSX.Element {
  const { identity, pages } = useSession();
  const name = identity.displayName;
  return (
    <Screen title="お名前の登録" heading={name ? <Heading name={name} /> : "はじめまして"}>
      <p>はじめに一度だけ、お名前を登録してください。会の名簿と照らし合わせて、あなたへのご案内をお見せします。</p>
      <Form />
      {pages.includes("shops") && (
        <p>
          お店のお客様は、登録しなくても<Link to="/reservations">わたしの予約</Link>をご覧になれます。
        </p>
      )}
    </Screen>
  );
}

function Heading({ name }: { name: string }): JSX.Element {
  return (
    <>
      {name}さん、<span class="phrase">はじめまして</span>
    </>
  );
}

function Form(): JSX.Element {
  const { client } = useSession();
  const [name, setName] = useState("");
  const [trouble, setTrouble] = useState("");
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const complain = (words: string) => {
    setTrouble(words);
    field.current?.focus();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const wrong = nameTrouble(name);
    if (wrong) return complain(wrong);
    if (sending) return;
    setTrouble("");
    setSending(true);
    client.post("/api/liff/register", { full_name: name.trim() }).then(
      () => leaveRegister("お名前の登録ができました。"),
      (error: unknown) => {
        setSending(false);
        complain(registerTrouble(error));
      },
    );
  };

  return (
    <form class="card" onSubmit={submit} noValidate>
      <h2>
        <label for="full-name">お名前（氏名）</label>
      </h2>
      <p id="full-name-hint" class="note">
        名簿と同じ漢字で、姓と名を入れてください。例：山田 太郎（間のスペースは、あってもなくても構いません）
      </p>
      <input
        ref={field}
        id="full-name"
        class="field"
        type="text"
        autocomplete="name"
        enterkeyhint="done"
        maxLength={50}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
        aria-describedby="full-name-hint full-name-trouble"
        aria-invalid={trouble !== ""}
      />
      <div id="full-name-trouble" role="alert">
        {trouble && <p class="say say-bad">{trouble}</p>}
      </div>
      <button type="submit" class="button" aria-disabled={sending}>
        {sending ? "確かめています…" : "登録する"}
      </button>
    </form>
  );
}
