import { Button } from "@mantine/core";
import type { UseInfiniteQueryResult, InfiniteData } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../../../api/shapes";
import booking from "../booking/Booking.module.css";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { More } from "../frame/More";
import { NoticePanel } from "./NoticePanel";
import { NoticesTable } from "./NoticesTable";
import { type NoticeRow, type Resendable, resendableOf } from "./queries";
import { ResendDialog } from "./ResendDialog";
import { isNarrowed, type NoticesSearch } from "./search";
import { count } from "./words";

interface NoticesListProps {
  query: UseInfiniteQueryResult<InfiniteData<Answer<"/api/admin/notifications">>>;
  search: NoticesSearch;
  find: (search: NoticesSearch) => void;
  resendMany: (jobIds: number[]) => void;
  told: (text: string) => void;
}

export function NoticesList({ query, search, find, resendMany, told }: NoticesListProps) {
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState<NoticeRow | null>(null);
  const [resending, setResending] = useState<Resendable | null>(null);
  const safe = resendableOf(rows, search.kind, { safe: true }).map(({ cell }) => cell.job_id);
  // What was sent meanwhile is no longer chosen, whatever was ticked before.
  const chosen = safe.filter((jobId) => ticked.has(jobId));
  const choose = (jobIds: readonly number[], on: boolean) => setTicked(new Set(on ? [...chosen, ...jobIds] : chosen.filter((jobId) => !jobIds.includes(jobId))));
  // The panel shows the newest state of its reservation, as long as the list has it.
  const shown = opened && (rows.find((row) => row.reservation_id === opened.reservation_id) ?? opened);
  if (query.isPending) return <ListSkeleton />;
  return (
    <div className={booking.fading} data-fading={query.isPlaceholderData || undefined}>
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && rows.length === 0 && <Nothing search={search} find={find} />}
      {safe.length > 0 && (
        <div className={booking.toolbar}>
          <Button variant="default" size="sm" onClick={() => choose(safe, chosen.length < safe.length)}>
            {chosen.length < safe.length ? `再送できる通知をすべて選ぶ（${count(safe.length)}）` : "選ぶのをやめる"}
          </Button>
          {chosen.length > 0 && (
            <Button size="sm" onClick={() => resendMany(chosen)}>
              選んだ{count(chosen.length)}を再送
            </Button>
          )}
        </div>
      )}
      {rows.length > 0 && <NoticesTable rows={rows} kind={search.kind} chosen={new Set(chosen)} choose={choose} open={setOpened} resend={setResending} />}
      <More query={query} />
      <NoticePanel row={shown} close={() => setOpened(null)} resend={setResending} />
      <ResendDialog notice={resending} close={() => setResending(null)} done={told} />
    </div>
  );
}

function Nothing({ search, find }: { search: NoticesSearch; find: (search: NoticesSearch) => void }) {
  if (!isNarrowed(search)) return <Empty title="通知する予約はまだありません">予約が入ると、予約確定・リマインド・キャンセル完了の通知がここに並びます。</Empty>;
  return (
    <div className={lists.empty}>
      <h2>条件に合う予約はありません</h2>
      <Button variant="default" size="md" mt="md" onClick={() => find({})}>
        条件を消す
      </Button>
    </div>
  );
}
