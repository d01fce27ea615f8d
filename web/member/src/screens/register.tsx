import type { JSX } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../../../api/shapes";
import { leaveRegister } from "../registration";
import { useSession } from "../session";
import { isUnknownName, nameTrouble, registerTrouble } from "./register-words";
import { Said } from "../../../kit/ask-office";
import { Link } from "../../../kit/router";
import { Screen } from "../../../kit/screen";

/** What the office has to confirm first: the name that was typed. Null: nothing waits. */
type Waiting = { name: string } | null;

export function Register(): JSX.Element {
  const { identity, pages, hasStaffPortal } = useSession();
  const [waiting, setWaiting] = useState<Waiting>(null);
  const [refused, setRefused] = useState(false);
  const name = identity.displayName;
  const look = useLook((found) => {
    if (found.state === "waiting") setWaiting({ name: found.full_name ?? "" });
    else if (waiting && found.state === "linked") leaveRegister("事務局の確認が終わりました。");
    else if (waiting) {
      setWaiting(null);
      setRefused(true);
    }
  });
  // Somebody who has typed the name before comes back to the waiting, not to the form.
  useEffect(look, []);
  useWhileWaiting(waiting !== null, look);
  if (waiting) return <WaitingScreen name={waiting.name} change={() => setWaiting(null)} />;
  return (
    <Screen title="お名前の登録" heading={name ? <Heading name={name} /> : "はじめまして"}>
      {refused && (
        <p class="say say-warn">
          <Said text="事務局で確認できませんでした。お名前をもう一度入れるか、事務局にご連絡ください。" />
        </p>
      )}
      <p>はじめに一度だけ、お名前を登録してください。会の名簿と照らし合わせて、あなたへのご案内をお見せします。</p>
      <Form wait={(typed) => setWaiting({ name: typed })} />
      {hasStaffPortal && (
        <p>
          職員の方は、登録しなくても<Link to="/staff">職員の予約</Link>をお使いになれます。
        </p>
      )}
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

function WaitingScreen({ name, change }: { name: string; change: () => void }): JSX.Element {
  return (
    <Screen title="事務局の確認を待っています">
      <div class="card" role="status">
        <p>
          「<strong>{name}</strong>」さんとして受け付けました。事務局がお名前を確認しています。
        </p>
      </div>
      <p>確認が終わると、この画面は自動で次へ進みます。閉じてもかまいません。あとでもう一度開いてください。</p>
      <p class="note">
        <Said text="お急ぎのときは、事務局にご連絡ください。" />
      </p>
      <p>
        <button type="button" class="button button-quiet" onClick={change}>
          お名前を入れ直す
        </button>
      </p>
    </Screen>
  );
}

const LOOK_EVERY_MS = 10_000;

type Found = Answer<"/api/liff/registration", "get">;

/** Asks how far the registration is. No answer means no news. */
function useLook(tell: (found: Found) => void): () => void {
  const { client } = useSession();
  const current = useRef(tell);
  current.current = tell;
  return useCallback(() => {
    client.get("/api/liff/registration").then(
      (found) => found && current.current(found),
      () => undefined,
    );
  }, [client]);
}

/** Asks now and then while the page is seen, and at once when somebody comes back to it. */
function useWhileWaiting(waiting: boolean, look: () => void): void {
  useEffect(() => {
    if (!waiting) return;
    const lookIfSeen = () => document.visibilityState === "visible" && look();
    const timer = setInterval(lookIfSeen, LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", lookIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", lookIfSeen);
    };
  }, [waiting, look]);
}

function Form({ wait }: { wait: (typed: string) => void }): JSX.Element {
  const { client } = useSession();
  const [name, setName] = useState("");
  const [trouble, setTrouble] = useState("");
  // The name that was not found; the office can be asked about it.
  const [unknown, setUnknown] = useState<string | null>(null);
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
    setUnknown(null);
    setSending(true);
    client.post("/api/liff/register", { full_name: name.trim() }).then(
      ({ waiting }) => (waiting ? wait(name.trim()) : leaveRegister("お名前の登録ができました。")),
      (error: unknown) => {
        setSending(false);
        setUnknown(isUnknownName(error) ? name.trim() : null);
        complain(registerTrouble(error));
      },
    );
  };
  const handOver = (full_name: string) => {
    if (sending) return;
    setSending(true);
    client.post("/api/liff/register/handover", { full_name }).then(
      ({ waiting }) => (waiting ? wait(full_name) : leaveRegister("お名前の登録は済んでいます。")),
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
        {trouble && (
          <p class="say say-bad">
            <Said text={trouble} />
          </p>
        )}
      </div>
      <button type="submit" class="button" aria-disabled={sending}>
        {sending ? "確かめています…" : "登録する"}
      </button>
      {unknown !== null && (
        <div class="hand-over">
          <p>この表記で間違いないときは、事務局がお名前を確かめて登録します。</p>
          <button type="button" class="button button-quiet" aria-disabled={sending} onClick={() => handOver(unknown)}>
            「{unknown}」で事務局に確認を頼む
          </button>
        </div>
      )}
    </form>
  );
}
