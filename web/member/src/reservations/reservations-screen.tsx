import type { JSX } from "preact";
import type { Answer } from "../../../api/shapes";
import { formatDateTime } from "../../../api/times";
import { formatPeriod, formatWithWeekday } from "../../../kit/dates";
import { CalendarDrawing } from "../../../kit/drawings";
import { useLoad } from "../../../kit/load";
import { Link } from "../../../kit/router";
import { Screen } from "../../../kit/screen";
import { BackToList } from "../back-to-list";
import { Loading } from "../screens/loading";
import { MemberError } from "../screens/member-error";
import { useSession } from "../session";
import { isCancelled } from "./part";

type Everything = Answer<"/api/liff/my-reservations">;
type Reservation = Everything["reservations"][number];
type Notice = Reservation["notices"][number];

const STATES: Record<Notice["state"], string> = {
  sent: "お送りしました",
  planned: "お送りする予定です",
  failed: "お送りできませんでした",
  unknown: "届いたか確認できていません",
};

/** Everything that this person has booked, in the shops and here, with the key and with what we told them. */
export function ReservationsScreen(): JSX.Element {
  const { client, adapter, pages } = useSession();
  const [state, reload] = useLoad(() => client.get("/api/liff/my-reservations"));
  if (state.kind === "loading") return <Loading />;
  if (state.kind === "failed") return <MemberError error={state.error} adapter={adapter} retry={reload} belowList />;
  const { reservations, gaps } = state.value;
  const hasShops = pages.includes("shops");
  return (
    <Screen title="わたしの予約" back={<BackToList />}>
      {gaps.map(({ source, place, message, path }) => (
        <div key={`${source}-${place}`} class="say say-warn" role="status">
          <p class="say-title">{place}</p>
          <p>{message}</p>
          {path && (
            <Link to={path} class="button button-small">
              {place}を開く
            </Link>
          )}
        </div>
      ))}
      {reservations.length > 0 ? (
        <ul class="bookings" aria-label="これからのご予約">
          {reservations.map((one) => (
            <Booking key={`${one.source}-${one.id}`} one={one} />
          ))}
        </ul>
      ) : (
        gaps.length === 0 && <Nothing />
      )}
      {hasShops && (
        <div class="actions">
          <Link to="/shops" class="button button-quiet">
            お店と連携する・予約を変更した
          </Link>
        </div>
      )}
    </Screen>
  );
}

function Booking({ one }: { one: Reservation }): JSX.Element {
  const { begins_at, ends_at, place, title, status, status_label, key, notices } = one;
  return (
    <li class={isCancelled(status) ? "card gone" : "card"}>
      <p class="when">{ends_at ? formatPeriod(begins_at, ends_at) : formatWithWeekday(begins_at)}</p>
      <p class="place">{place}</p>
      <p>
        {title !== place && title} <span class="state">{status_label}</span>
      </p>
      {key && <p class="note">{key.message}</p>}
      {notices.length > 0 && (
        <ul class="told" aria-label="お知らせ">
          {notices.map(({ label, channel, state, at }) => (
            <li key={`${label}-${channel}`}>
              {label}（{channel === "line" ? "LINE" : "メール"}）：{formatDateTime(at)} {STATES[state]}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Nothing(): JSX.Element {
  return (
    <section class="card empty" aria-labelledby="nothing">
      <CalendarDrawing />
      <h2 id="nothing">これからのご予約はありません</h2>
      <p>連携しているお店のご予約と、こちらで受け付けたご予約が、ここに表示されます。</p>
    </section>
  );
}
