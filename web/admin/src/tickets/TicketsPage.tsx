import { Button, NativeSelect } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import booking from "../booking/Booking.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import tabs from "../frame/Tabs.module.css";
import { shopsQuery } from "../shops/queries";
import { type TicketCounts, ticketsQuery } from "./queries";
import { TICKET_STATUSES, type TicketsSearch } from "./search";
import classes from "./Tickets.module.css";
import { TicketsTable } from "./TicketsTable";
import { STATUSES } from "./words";

const route = getRouteApi("/inside/tickets");

/** Troubles that somebody has to look at. */
export function TicketsPage() {
  const search = route.useSearch();
  const query = useInfiniteQuery(ticketsQuery(search));
  const tickets = query.data?.pages.flatMap((page) => page.tickets) ?? [];
  const settled = query.isSuccess && !query.isPlaceholderData;
  return (
    <>
      <PageHeading title="チケット">
        だれかの対応が必要な問題です。同じ問題は、完了になるまで1つのチケットにまとまります。起きたときに知らせる相手は、<Link to="/connections/rules">通知のルール</Link>で決められます。
      </PageHeading>
      <StatusTabs search={search} counts={query.data?.pages[0]?.counts} />
      <ShopFilter search={search} />
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {settled && tickets.length === 0 && <Nothing search={search} />}
      <div className={booking.fading} data-fading={query.isPlaceholderData || undefined}>
        {tickets.length > 0 && <TicketsTable tickets={tickets} />}
      </div>
      <More query={query} />
    </>
  );
}

function StatusTabs({ search, counts }: { search: TicketsSearch; counts: TicketCounts | undefined }) {
  const { status: shown = "open", ...others } = search;
  return (
    <nav className={tabs.tabs} aria-label="チケットの状態">
      {TICKET_STATUSES.map((status) => (
        <Link key={status} to="/tickets" search={status === "open" ? others : { ...others, status }} activeOptions={{ exact: true }} data-on={shown === status || undefined}>
          {STATUSES[status].name}
          {counts !== undefined && (
            <span className={classes.count} data-trouble={(status === "open" && counts.open > 0) || undefined}>
              {counts[status].toLocaleString("ja-JP")}
              <span className={booking.hidden}>件</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

function ShopFilter({ search }: { search: TicketsSearch }) {
  const navigate = route.useNavigate();
  const shops = useQuery(shopsQuery).data?.shops ?? [];
  const { shop_id, ...others } = search;
  if (shops.length < 2 && shop_id === undefined) return null;
  const find = (value: string) => void navigate({ search: value === "" ? others : { ...others, shop_id: Number(value) }, replace: true, resetScroll: false });
  return (
    <search className={booking.filters}>
      <NativeSelect label="店舗" size="md" value={shop_id ?? ""} onChange={(event) => find(event.currentTarget.value)}>
        <option value="">すべて</option>
        {shops.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </search>
  );
}

function Nothing({ search: { shop_id, ...others } }: { search: TicketsSearch }) {
  const navigate = route.useNavigate();
  const status = others.status ?? "open";
  const title = `${STATUSES[status].name}のチケットはありません`;
  if (shop_id === undefined) return <Empty title={title}>{status === "open" ? "いま、だれかの対応が必要な問題は起きていません。" : "チケットの状態を変えると、ここに並びます。"}</Empty>;
  return (
    <div className={lists.empty}>
      <h2>この店舗に、{title}</h2>
      <Button variant="default" size="md" mt="md" onClick={() => void navigate({ search: others, replace: true })}>
        すべての店舗を見る
      </Button>
    </div>
  );
}
