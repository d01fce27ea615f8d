import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import { ConnectionTabs } from "../connections/Tabs";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { Moment } from "../frame/Moment";
import { More } from "../frame/More";
import { PageHeading } from "../frame/PageHeading";
import table from "../frame/Table.module.css";
import { CallDrawer } from "./CallDrawer";
import { CallsFilters } from "./CallsFilters";
import { type Call, callsQuery } from "./queries";
import { type CallsSearch, isNarrowed } from "./search";
import { channelName, durationText, resultOf, targetName } from "./words";

const route = getRouteApi("/inside/connections/calls");

/** Every call to an outside system of the last sixty days, so that one can see why something did not work. */
export function CallsPage() {
  const { call: opened, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const find = (wanted: CallsSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const open = (call: number) => void navigate({ search: { ...search, call }, resetScroll: false });
  const query = useInfiniteQuery(callsQuery(search));
  const calls = query.data?.pages.flatMap((page) => page.calls) ?? [];
  return (
    <>
      <PageHeading title="呼び出しの記録">外部のサービスとの、すべてのやり取りです。60日のあいだ残ります。個人情報と鍵は伏せてあります。</PageHeading>
      <ConnectionTabs />
      <CallsFilters search={search} find={find} />
      {query.isPending && <ListSkeleton />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && calls.length === 0 && <Nothing search={search} find={find} />}
      <div className={booking.fading} data-fading={query.isPlaceholderData || undefined}>
        {calls.length > 0 && <CallsTable calls={calls} open={open} />}
      </div>
      <More query={query} />
      <CallDrawer id={opened ?? null} search={search} close={() => find(search)} />
    </>
  );
}

function CallsTable({ calls, open }: { calls: readonly Call[]; open: (id: number) => void }) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={booking.hidden}>呼び出し</caption>
        <thead>
          <tr>
            <th scope="col">相手</th>
            <th scope="col">結果</th>
            <th scope="col">いつ</th>
            <th scope="col">店舗・どこから</th>
            <th scope="col">
              <span className={booking.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <td className={booking.name}>
                {targetName(call.target)}
                <small>
                  {call.operation}
                  {call.attempt > 1 && `（${call.attempt}回目）`}
                </small>
              </td>
              <td data-label="結果">
                <Badge tone={resultOf(call).tone}>{resultOf(call).name}</Badge>
              </td>
              <td data-label="いつ" className={booking.number}>
                <Moment at={call.created_at} />
                <br />
                <span className={booking.soft}>{durationText(call.latency_ms)}</span>
              </td>
              <td data-label="店舗・どこから">
                {call.shop_name ?? "―"}
                {call.channel !== null && (
                  <>
                    <br />
                    <span className={booking.soft}>{channelName(call.channel)}</span>
                  </>
                )}
              </td>
              <td className={booking.action}>
                <Button variant="subtle" size="sm" aria-label={`呼び出し${call.id}をくわしく見る`} onClick={() => open(call.id)}>
                  くわしく
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Nothing({ search, find }: { search: CallsSearch; find: (search: CallsSearch) => void }) {
  if (!isNarrowed(search)) return <Empty title="まだ呼び出しがありません">LINEに送ったり、店舗のお客さまを調べたりすると、ここに残ります。</Empty>;
  return (
    <div className={lists.empty}>
      <h2>条件に合う呼び出しはありません</h2>
      <Button variant="default" size="md" mt="md" onClick={() => find({})}>
        条件を消す
      </Button>
    </div>
  );
}
