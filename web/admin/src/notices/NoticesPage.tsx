import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import booking from "../booking/Booking.module.css";
import { NoticeTabs } from "../booking/SectionTabs";
import { Failure } from "../frame/Failure";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { Banners } from "./Banners";
import { Counters, HeadFacts } from "./Head";
import { NoticesFilters } from "./NoticesFilters";
import { NoticesList } from "./NoticesList";
import { outcomeText } from "./outcome";
import { PauseDialog, ResumeDialog } from "./PauseDialogs";
import { noticesQuery, summaryQuery } from "./queries";
import { type Many, ResendManyDialog } from "./ResendManyDialog";
import type { NoticesSearch } from "./search";

const route = getRouteApi("/inside/notifications");

/** Whether people heard: each reservation with its notices, why one did not go out, and what can be done. */
export function NoticesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const find = (wanted: NoticesSearch) => void navigate({ search: wanted, replace: true, resetScroll: false });
  const summary = useQuery(summaryQuery);
  const notices = useInfiniteQuery(noticesQuery(search));
  const [dialog, setDialog] = useState<"pause" | "resume" | null>(null);
  const [many, setMany] = useState<Many | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <PageHeading
        title="通知"
        aside={
          summary.data?.paused === null && (
            <Button variant="default" onClick={() => setDialog("pause")}>
              通知を停止する
            </Button>
          )
        }
      >
        予約のお知らせがLINEで送られたかを、予約ごとに確かめられます。
      </PageHeading>
      <NoticeTabs />
      {summary.error && !summary.data && <Failure error={summary.error} retry={() => void summary.refetch()} />}
      {summary.data && (
        <>
          <Banners summary={summary.data} resume={() => setDialog("resume")} resend={(cause) => setMany({ cause })} find={find} />
          <HeadFacts summary={summary.data} />
        </>
      )}
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={booking.notice}>
            {told}
          </Notice>
        )}
      </div>
      {summary.data && <Counters counts={summary.data.counts} search={search} find={find} />}
      <NoticesFilters search={search} find={find} />
      <NoticesList query={notices} search={search} find={find} resendMany={(jobIds) => setMany({ jobIds })} told={setTold} />
      <PauseDialog opened={dialog === "pause"} close={close} />
      <ResumeDialog opened={dialog === "resume"} close={close} waiting={summary.data?.counts.PENDING ?? 0} />
      <ResendManyDialog many={many} quota={summary.data?.quota ?? null} close={() => setMany(null)} done={(result) => setTold(outcomeText(result))} />
    </>
  );
}
