import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatPeriod, formatWithWeekday } from "../../../kit/dates";
import { Link } from "../../../kit/router";
import { isCancelled } from "../reservations/part";
import { useSession } from "../session";
import type { LinkedShop } from "./shapes";
import { troubleWords } from "./words";

interface LinkedProps {
  found: LinkedShop;
  show: (newer: LinkedShop) => void;
  proveAgain: () => void;
}

/** Somebody whom the shop knows: who it is, the reservations, and the button for what has changed. */
export function Linked({ found, show, proveAgain }: LinkedProps): JSX.Element {
  const { client } = useSession();
  const [trouble, setTrouble] = useState("");
  const [asking, setAsking] = useState(false);
  const { customer, state } = found;
  const refresh = () => {
    if (asking) return;
    setAsking(true);
    setTrouble("");
    client
      .post("/api/liff/shops/{store_code}/refresh", { changed: true }, { store_code: found.shop.code })
      .then(show, (error: unknown) => setTrouble(troubleWords(error)))
      .finally(() => setAsking(false));
  };

  return (
    <>
      <p class={`say ${state === "failed" ? "say-warn" : "say-good"}`} role="status">
        {found.message}
      </p>
      {customer && (
        <p class="addressee">
          {customer.name} 様
          <span class="known">
            {customer.email_masked} {customer.phone_last4 && `電話番号の末尾 ${customer.phone_last4}`}
          </span>
        </p>
      )}
      {state === "valid" && <Reservations found={found} />}
      <div role="alert">{trouble && <p class="say say-bad">{trouble}</p>}</div>
      <div class="actions">
        <button type="button" class="button" onClick={refresh} aria-disabled={asking}>
          {asking ? "確認しています…" : state === "failed" ? "もう一度確認する" : "予約を変更した"}
        </button>
        <Link to="/reservations" class="button button-quiet">
          わたしの予約を見る
        </Link>
        <button type="button" class="button button-quiet" onClick={proveAgain}>
          別のお客様情報で連携し直す
        </button>
      </div>
      <p class="note">予約を変更・取り直したときは「予約を変更した」を押すと、最新の内容になります（1分に1回まで）。</p>
    </>
  );
}

function Reservations({ found }: { found: LinkedShop }): JSX.Element {
  if (!found.reservations_known) return <p class="say say-warn">ご予約の一覧を、ただいま確認できません。下のボタンでもう一度お試しください。</p>;
  const coming = found.reservations.filter(({ status }) => !isCancelled(status));
  const gone = found.reservations.filter(({ status }) => isCancelled(status));
  return (
    <>
      {coming.length > 0 ? (
        <section aria-labelledby="coming">
          <h2 id="coming">これからのご予約</h2>
          <Cards reservations={coming} />
        </section>
      ) : (
        <p class="say">{gone.length > 0 ? "これからのご予約はありません。" : "これからのご予約は見つかりませんでした。"}</p>
      )}
      {gone.length > 0 && (
        <section aria-labelledby="gone">
          <h2 id="gone">取り消されたご予約</h2>
          <Cards reservations={gone} cancelled />
          <p>取り消されたご予約では入室できません。お心当たりがないときは、下の連絡先にご連絡ください。</p>
        </section>
      )}
      {(coming.length > 0 || gone.length === 0) && <p class="note">{found.key.message}</p>}
    </>
  );
}

function Cards({ reservations, cancelled = false }: { reservations: LinkedShop["reservations"]; cancelled?: boolean }): JSX.Element {
  return (
    <ul class="bookings">
      {reservations.map(({ id, title, begins_at, ends_at, status_label }) => (
        <li key={id} class={cancelled ? "card gone" : "card"}>
          <p class="when">{ends_at ? formatPeriod(begins_at, ends_at) : formatWithWeekday(begins_at)}</p>
          <p>
            {title} <span class="state">{status_label}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
