import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type KeyboardEvent, useCallback } from "react";
import booking from "../booking/Booking.module.css";
import { SearchField } from "../booking/SearchField";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { FoundPeople } from "./FoundPeople";
import { PeopleTabs } from "./PeopleTabs";
import { peopleQuery } from "./queries";

const route = getRouteApi("/inside/people");

export function PeoplePage() {
  const { q = "", kind } = route.useSearch();
  const navigate = route.useNavigate();
  const look = useCallback((words: string) => void navigate({ search: words ? { q: words } : {}, replace: true, resetScroll: false }), [navigate]);
  const query = useQuery(peopleQuery(q, kind));
  const groups = query.data?.groups ?? [];
  const settled = q !== "" && query.isSuccess && !query.isPlaceholderData;
  const count = groups.reduce((sum, group) => sum + group.total, 0);
  return (
    <>
      <PageHeading title="人を調べる">会員・職員・LINE・店舗のお客様・招待したメールアドレスを、まとめて探します。</PageHeading>
      <PeopleTabs />
      <div onKeyDown={moveBetweenResults} role="presentation">
        <search className={booking.filters}>
          <div className={booking.words}>
            <SearchField label="人を探す" placeholder="名前・ふりがな・メール・LINEの名前・番号" value={q} search={look} />
          </div>
        </search>
        <div className={booking.fading} data-fading={query.isPlaceholderData || undefined} aria-busy={query.isFetching}>
          {q === "" && <Empty title="だれを探しますか">名前の一部で探せます。漢字の異体字・ひらがな・カタカナ・全角・半角の違いは気にせずに入力してください。</Empty>}
          {q !== "" && query.isPending && <ListSkeleton />}
          {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
          {settled && groups.length === 0 && <Empty title={`「${q}」に当てはまる人はいません`}>文字を減らすか、ふりがなや番号でもお試しください。</Empty>}
          {q !== "" && groups.map((group) => <FoundPeople key={group.kind} group={group} words={q} />)}
        </div>
      </div>
      <p className={booking.hidden} role="status">
        {settled && `${count.toLocaleString("ja-JP")}件見つかりました`}
      </p>
    </>
  );
}

/** The arrow keys lead from the field through the results and back, so that nobody has to leave the keyboard. */
function moveBetweenResults(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input[type=search], a[data-person]")];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined || !stops.includes(document.activeElement as HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
