import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { CalendarDrawing } from "../../../kit/drawings";
import { Link } from "../../../kit/router";
import { type Row, Rows } from "../../../kit/rows";
import { Screen } from "../../../kit/screen";
import { useMemberLoad } from "../load";
import type { MemberLink, MemberPart } from "../part";
import { Loading } from "../screens/loading";
import { MemberError } from "../screens/member-error";
import { useSession } from "../session";
import { loadRequests } from "./load-requests";
import { inOrder, type MemberRequest, type RequestSource } from "./request";

/** The start page: everything that the parts of the product ask of this person, in one list. */
export function RequestList({ parts }: { parts: readonly MemberPart[] }): JSX.Element {
  const session = useSession();
  const sources = useMemo(() => parts.flatMap((part) => part.requests?.(session) ?? []), [parts, session]);
  useRedraw(sources);
  const isKnown = sources.every((source) => source.known() !== null);
  const [state, reload] = useMemberLoad(() => loadRequests(sources), isKnown ? { incomplete: false } : null);
  if (state.kind === "loading") return <Loading />;
  if (state.kind === "failed") {
    return (
      <MemberError error={state.error} adapter={session.adapter} retry={reload}>
        {parts.map(({ name, Unsent }) => Unsent && <Unsent key={name} />)}
        <Menu links={[...(session.hasStaffPortal ? STAFF : []), ...parts.flatMap(({ links = [] }) => links)]} />
      </MemberError>
    );
  }

  const requests = inOrder(sources.flatMap((source) => source.known() ?? []));
  const name = session.identity.displayName;
  return (
    <Screen title="あなたへのお願い">
      {name && <p class="addressee">{name}さん</p>}
      <Menu links={session.hasStaffPortal ? STAFF : []} />
      {state.old && <Outdated text="新しい一覧を受け取れませんでした。前に見たときの内容です。" retry={reload} />}
      {!state.old && state.value.incomplete && <Outdated text="受け取れなかったお願いがあります。ここに全部は出ていません。" retry={reload} />}
      {requests.length > 0 ? <Requests requests={requests} /> : !state.value.incomplete && sources.length > 0 && <NoRequests />}
      <Menu links={parts.flatMap(({ links = [] }) => links)} />
    </Screen>
  );
}

/** First of all, because staff come here from LINE's menu and look for it; others have no such entry. */
const STAFF: readonly MemberLink[] = [{ to: "/staff", label: "職員の予約", text: "健診・予防接種などの予約と確認" }];

/** The screens that nobody is asked to open. */
function Menu({ links }: { links: readonly MemberLink[] }): JSX.Element | null {
  if (links.length === 0) return null;
  return (
    <nav class="menu" aria-label={links === STAFF ? "職員の方" : "メニュー"}>
      <ul class="rows">
        {links.map(({ to, label, text }) => (
          <li key={to}>
            <Link to={to} class="row">
              <span class="row-words">
                <span class="row-title">{label}</span>
                <span class="row-date">{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Draws the list again whenever a part has something new. */
function useRedraw(sources: readonly RequestSource[]): void {
  const [, redraw] = useState(0);
  useEffect(() => {
    const stops = sources.map((source) => source.subscribe(() => redraw((count) => count + 1)));
    return () => stops.forEach((stop) => stop());
  }, [sources]);
}

function Requests({ requests }: { requests: MemberRequest[] }): JSX.Element {
  const severalKinds = new Set(requests.map(({ kind }) => kind)).size > 1;
  const coming = requests.filter(({ state }) => !state.over);
  const past = requests.filter(({ state }) => state.over);
  return (
    <>
      <p class="lead">{summary(coming)}</p>
      {coming.length > 0 && <Rows rows={rowsOf(coming, severalKinds)} label="これからのお願い" />}
      {past.length > 0 && (
        <section aria-labelledby="past">
          <h2 id="past" class="past-heading">
            過去のお願い
          </h2>
          <Rows rows={rowsOf(past, severalKinds)} label="過去のお願い" />
        </section>
      )}
    </>
  );
}

function summary(coming: MemberRequest[]): string {
  if (coming.length === 0) return "いま、回答をお願いしているものはありません。";
  const unanswered = coming.filter(({ state }) => state.unanswered).length;
  return unanswered > 0 ? `まだ回答していないものが${unanswered}件あります。` : "すべて回答済みです。ありがとうございます。";
}

function rowsOf(requests: MemberRequest[], severalKinds: boolean): Row[] {
  return requests.map(({ kind, id, title, date, dateLabel, link, state }) => ({
    key: `${kind}-${id}`,
    link,
    title,
    caption: severalKinds ? kind : undefined,
    date,
    dateLabel,
    badge: state,
    past: state.over,
  }));
}

function Outdated({ text, retry }: { text: string; retry: () => void }): JSX.Element {
  return (
    <div class="say say-warn" role="alert">
      <p>{text}</p>
      <button type="button" class="button button-small" onClick={retry}>
        もう一度試す
      </button>
    </div>
  );
}

function NoRequests(): JSX.Element {
  return (
    <section class="card empty" aria-labelledby="nothing">
      <CalendarDrawing />
      <h2 id="nothing">いま、お願いはありません</h2>
      <p>
        行事の出欠や日程のお伺いなどがあると、LINEでお知らせが届き、ここにも表示されます。
        <br />
        いまは、何もしなくて大丈夫です。
      </p>
    </section>
  );
}
