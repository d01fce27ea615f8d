import type { JSX } from "preact";
import { useSender } from "../answers/use-sender";
import { formatHeldAt } from "../dates";
import { useLoad } from "../load";
import { Link } from "../router";
import { useSession } from "../session";
import { type EventRow, STATUS_WORDS } from "../shapes";
import { CalendarDrawing } from "./drawings";
import { Loading } from "./loading";
import { Problem } from "./problem";
import { Screen } from "./screen";
import { Unsent } from "./unsent";

export function List(): JSX.Element {
  const { client, adapter, identity, events, answers } = useSession();
  useSender(answers);
  const [state, reload] = useLoad(async () => (events.rows = (await client.get("/api/liff/events")).items), events.rows);
  if (state.kind === "loading") return <Loading />;
  if (state.kind === "failed") {
    return (
      <Problem error={state.error} adapter={adapter} retry={reload}>
        <Unsent />
      </Problem>
    );
  }

  // The session's own list is newer than the one asked for when an answer went through since.
  const rows = events.rows ?? state.value;
  const name = identity.displayName;
  return (
    <Screen title="ご案内の一覧" heading={name ? <Heading name={name} /> : "ご案内"}>
      {state.old && <OldList retry={reload} />}
      {rows.length === 0 ? <Nothing /> : <Rows rows={rows} />}
    </Screen>
  );
}

function Heading({ name }: { name: string }): JSX.Element {
  return (
    <>
      {name}さん<span class="phrase">へのご案内</span>
    </>
  );
}

function Rows({ rows }: { rows: EventRow[] }): JSX.Element {
  const coming = rows.filter((row) => !row.over);
  const over = rows.filter((row) => row.over);
  const waiting = coming.filter((row) => row.my_status === "pending" && !row.cancelled).length;
  return (
    <>
      <p class="lead">{summary(coming.length, waiting)}</p>
      {coming.length > 0 && <RowList rows={coming} label="これからのイベント" />}
      {over.length > 0 && (
        <section aria-labelledby="over">
          <h2 id="over" class="over-heading">
            過去のイベント
          </h2>
          <RowList rows={over} label="過去のイベント" />
        </section>
      )}
    </>
  );
}

function summary(coming: number, waiting: number): string {
  if (coming === 0) return "いま、回答をお願いしているものはありません。";
  return waiting > 0 ? `まだ回答していないものが${waiting}件あります。` : "すべて回答済みです。ありがとうございます。";
}

function RowList({ rows, label }: { rows: EventRow[]; label: string }): JSX.Element {
  return (
    <ul class="rows" aria-label={label}>
      {rows.map((row) => (
        <li key={row.id}>
          <Link to={`/events/${row.id}`} class={`row ${row.over ? "row-over" : ""}`}>
            <span class="row-words">
              <span class="row-title">{row.title}</span>
              <time class="row-date" dateTime={row.held_at}>
                {formatHeldAt(row.held_at)}
              </time>
            </span>
            <RowBadge row={row} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** An answer that has not reached the server is not shown as given. */
function RowBadge({ row }: { row: EventRow }): JSX.Element {
  const { kind } = useSession().answers.standing(row.id);
  if (row.cancelled) return <span class="badge badge-cancelled">中止</span>;
  if (kind === "waiting" || kind === "sending") return <span class="badge badge-unsent">送信待ち</span>;
  return <span class={`badge badge-${row.my_status}`}>{STATUS_WORDS[row.my_status]}</span>;
}

function OldList({ retry }: { retry: () => void }): JSX.Element {
  return (
    <div class="say say-warn" role="alert">
      <p>新しい一覧を受け取れませんでした。前に見たときの内容です。</p>
      <button type="button" class="button button-small" onClick={retry}>
        もう一度試す
      </button>
    </div>
  );
}

function Nothing(): JSX.Element {
  return (
    <section class="card empty" aria-labelledby="nothing">
      <CalendarDrawing />
      <h2 id="nothing">いま、ご案内はありません</h2>
      <p>
        行事へのお誘いがあると、LINEでお知らせが届き、ここにも表示されます。
        <br />
        いまは、何もしなくて大丈夫です。
      </p>
    </section>
  );
}
