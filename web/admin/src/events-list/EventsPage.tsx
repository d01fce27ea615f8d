import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { Failure } from "../frame/Failure";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import { EventRows } from "./EventRows";
import { EventsSkeleton } from "./EventsSkeleton";
import { Filters } from "./Filters";
import { NoEvents } from "./NoEvents";
import { eventsQuery } from "./queries";
import { asked, type EventsSearch, isBackwards, onSide } from "./search";
import { Sides } from "./Sides";

const route = getRouteApi("/inside/events");

export function EventsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The address changes with every letter, and none of that is worth a step of the back button.
  const find = (wanted: EventsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const question = useMemo(() => asked(search, new Date()), [search]);
  const query = useInfiniteQuery({ ...eventsQuery(question), enabled: !isBackwards(search) });
  const events = query.data?.pages.flatMap((page) => page.items) ?? [];
  const settled = query.isSuccess && !query.isPlaceholderData && !isBackwards(search);
  return (
    <>
      <PageHeading
        title="イベント"
        aside={
          <Button size="md" renderRoot={(props) => <Link to="/events/new" {...props} />}>
            ＋ 新しいイベント
          </Button>
        }
      >
        出欠をお願いしたイベントの一覧です。押すと、回答の状況を見られます。
      </PageHeading>
      <Sides past={search.past === true} choose={(past) => find(onSide(search, past))} />
      <Filters search={search} find={find} />
      <div aria-busy={query.isFetching}>
        {query.isPending && !isBackwards(search) && <EventsSkeleton />}
        {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
        {settled && events.length === 0 && <NoEvents search={search} find={find} />}
        {events.length > 0 && !isBackwards(search) && <EventRows events={events} fading={query.isPlaceholderData} />}
        <More query={query} />
      </div>
    </>
  );
}
