import { ActionIcon, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { formatDateTime } from "../../../api/times";
import { overviewQuery } from "../api/queries";
import { Failure } from "../frame/Failure";
import { ReloadIcon } from "../frame/icons";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { FriendsCard } from "./FriendsCard";
import classes from "./HomePage.module.css";
import { InboxCard } from "./InboxCard";
import { LastReceivedCard } from "./LastReceivedCard";
import { NextStep } from "./NextStep";

export function HomePage() {
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery(overviewQuery);
  return (
    <>
      <PageHeading title="ホーム" aside={data && <AsOf at={dataUpdatedAt} busy={isFetching} refresh={refetch} />}>
        いまの様子と、気をつけることをまとめています。
      </PageHeading>
      {error && <Failure error={error} retry={refetch} />}
      {!data && !error && <HomeSkeleton />}
      {data && (
        <>
          {!data.line.configured && <LineNotConfigured />}
          <div className={classes.cards}>
            <FriendsCard friends={data.friends} />
            <LastReceivedCard at={data.last_webhook_at} />
            <InboxCard inbox={data.inbox} />
          </div>
          <NextStep overview={data} />
        </>
      )}
    </>
  );
}

function AsOf({ at, busy, refresh }: { at: number; busy: boolean; refresh: () => void }) {
  return (
    <>
      <span className="figures">{formatDateTime(new Date(at))} 時点</span>
      <ActionIcon variant="subtle" size="lg" aria-label="最新の状態にする" title="最新の状態にする" loading={busy} onClick={refresh}>
        <ReloadIcon />
      </ActionIcon>
    </>
  );
}

function LineNotConfigured() {
  return (
    <Notice tone="warning" title="LINEとの接続が、まだ設定されていません" className={classes.notice}>
      このままでは、LINEへの送信も、友だちの追加の受け取りもできません。システムの担当者に、LINE公式アカウントの接続設定を依頼してください。
    </Notice>
  );
}

function HomeSkeleton() {
  return (
    <div className={classes.cards} aria-busy="true" aria-label="読み込んでいます" role="status">
      <Skeleton className={classes.bone ?? ""} />
      <Skeleton className={classes.bone ?? ""} />
      <Skeleton className={`${classes.bone} ${classes.wide}`} />
    </div>
  );
}
