import { ActionIcon, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatDateTime } from "../../../api/times";
import { overviewQuery } from "../api/queries";
import { Failure } from "../frame/Failure";
import { ReloadIcon } from "../frame/icons";
import { PageHeading } from "../frame/PageHeading";
import { summaryQuery } from "../notices/queries";
import { attentionOf } from "./attention";
import { Attentions } from "./Attentions";
import { Figures } from "./Figures";
import { FirstSteps, useFirstSteps } from "./FirstSteps";
import classes from "./HomePage.module.css";
import { HomeSkeleton } from "./HomeSkeleton";
import { NextEvents } from "./NextEvents";
import { HAS_BOOKING, HAS_EVENTS, homeQuery, quotaQuery } from "./queries";

export function HomePage() {
  const home = useQuery(homeQuery);
  const overview = useQuery(overviewQuery);
  const quota = useQuery(quotaQuery);
  const notices = useQuery({ ...summaryQuery, enabled: HAS_BOOKING });
  const steps = useFirstSteps(home.data);
  const refresh = () => void Promise.all([home.refetch(), overview.refetch(), quota.refetch(), ...(HAS_BOOKING ? [notices.refetch()] : [])]);
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
      {!error && (!home.data || !overview.data || steps === undefined) && <HomeSkeleton />}
      {home.data && overview.data && steps !== undefined && (
        <div className={classes.sections}>
          {steps && <FirstSteps steps={steps} />}
          {/* A new console has steps to take; what is missing is said there, and not a second time as trouble. */}
          <Attentions found={attentionOf({ home: home.data, overview: overview.data, quota: quota.data, notices: notices.data })} beginning={steps !== null} />
          {HAS_EVENTS && !(steps && home.data.next_events.length === 0) && <NextEvents events={home.data.next_events} />}
          <Figures home={home.data} overview={overview.data} quota={quota} />
          <p className={classes.asOf}>
            <span className="figures">{formatDateTime(new Date(home.dataUpdatedAt))} 時点</span>
            <ActionIcon variant="subtle" size="lg" aria-label="最新の状態にする" title="最新の状態にする" loading={home.isFetching || quota.isFetching} onClick={refresh}>
              <ReloadIcon />
            </ActionIcon>
          </p>
        </div>
      )}
    </>
  );
}
