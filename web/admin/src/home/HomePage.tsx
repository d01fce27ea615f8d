import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { formatDateTime } from "../../../api/times";
import { overviewQuery } from "../api/queries";
import { Failure } from "../frame/Failure";
import { ReloadIcon } from "../frame/icons";
import { PageHeading } from "../frame/PageHeading";
import { summaryQuery } from "../notices/queries";
import classes from "./HomePage.module.css";
import { HomeSkeleton } from "./HomeSkeleton";
import { HAS_BOOKING, HAS_EVENTS, HAS_THREADS, homeQuery, openThreadsQuery, promotedCallsQuery, quotaQuery } from "./queries";

// What stands on the page is loaded while the server is asked for it, so that every other page starts without it.
const loadSections = () => import("./HomeSections");
const HomeSections = lazy(async () => ({ default: (await loadSections()).HomeSections }));

export function HomePage() {
  // When this fails, the page says so as soon as it needs them.
  useEffect(() => void loadSections().catch(() => {}), []);
  const home = useQuery(homeQuery);
  const overview = useQuery(overviewQuery);
  const quota = useQuery(quotaQuery);
  const notices = useQuery({ ...summaryQuery, enabled: HAS_BOOKING });
  const threads = useQuery({ ...openThreadsQuery, enabled: HAS_THREADS });
  const calls = useQuery({ ...promotedCallsQuery, enabled: HAS_BOOKING });
  const refresh = () => void Promise.all([home.refetch(), overview.refetch(), quota.refetch(), ...(HAS_BOOKING ? [notices.refetch(), calls.refetch()] : []), ...(HAS_THREADS ? [threads.refetch()] : [])]);
  const error = home.error ?? overview.error;
  return (
    <>
      <PageHeading
        title="ホーム"
        aside={
          HAS_EVENTS && (
            <Button size="lg" renderRoot={(props) => <Link to="/events/new" {...props} />}>
              ＋ 新しいイベント
            </Button>
          )
        }
      />
      {error && <Failure error={error} retry={refresh} />}
      {!error && (!home.data || !overview.data) && <HomeSkeleton />}
      {home.data && overview.data && (
        <Suspense fallback={<HomeSkeleton />}>
          <HomeSections home={home.data} overview={overview.data} quota={quota} notices={notices.data} threads={threads.data?.threads} calls={calls.data}>
            <p className={classes.asOf}>
              <span className="figures">{formatDateTime(new Date(home.dataUpdatedAt))} 時点</span>
              <ActionIcon variant="subtle" size="lg" aria-label="最新の状態にする" title="最新の状態にする" loading={home.isFetching || quota.isFetching} onClick={refresh}>
                <ReloadIcon />
              </ActionIcon>
            </p>
          </HomeSections>
        </Suspense>
      )}
    </>
  );
}
