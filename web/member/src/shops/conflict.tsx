import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { troubleWords } from "./words";

/** Another LINE user is linked with this customer: what a transfer does, and the choice. */
export function Conflict({ transfer, leave }: { transfer: () => Promise<void>; leave: () => void }): JSX.Element {
  const [trouble, setTrouble] = useState("");
  const [sending, setSending] = useState(false);
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => top.current?.focus(), []);
  const take = () => {
    if (sending) return;
    setSending(true);
    setTrouble("");
    transfer().catch((error: unknown) => {
      setSending(false);
      setTrouble(troubleWords(error));
    });
  };
  return (
    <section class="card" aria-labelledby="conflict">
      <h2 id="conflict" ref={top} tabIndex={-1}>
        別のLINEと連携しています
      </h2>
      <p>このお客様情報は、すでに別のLINEと連携しています。機種変更などでLINEが変わった方は、このLINEに引き継げます。</p>
      <ul>
        <li>引き継ぐと、以前のLINEではご予約を表示できなくなります。</li>
        <li>以前のLINEに、引き継いだことをお知らせします。</li>
        <li>ご予約そのものは変わりません。</li>
      </ul>
      <div role="alert">{trouble && <p class="say say-bad">{trouble}</p>}</div>
      <div class="actions">
        <button type="button" class="button" onClick={take} aria-disabled={sending}>
          {sending ? "引き継いでいます…" : "このLINEに引き継ぐ"}
        </button>
        <button type="button" class="button button-quiet" onClick={leave}>
          引き継がずに戻る
        </button>
      </div>
    </section>
  );
}
