import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Moment } from "../frame/Moment";
import classes from "./HomePage.module.css";
import type { Home, Overview, Quota } from "./queries";

interface FiguresProps {
  home: Home;
  overview: Overview;
  quota: UseQueryResult<Quota>;
}

const inNumbers = (count: number) => count.toLocaleString("ja-JP");

export function Figures({ home, overview, quota }: FiguresProps) {
  const { waiting } = overview.inbox;
  return (
    <div className={classes.cards}>
      <Card title="LINEと連携している会員" aside={<Link to="/members">会員名簿</Link>}>
        <p className={classes.figure}>
          {inNumbers(home.linked_members)}
          <small>人／{inNumbers(home.members)}人</small>
        </p>
        <p className={classes.explain}>
          {overview.friends.blocked > 0 ? `ブロックしている友だち ${inNumbers(overview.friends.blocked)}人（届きません）` : "連携した会員に、案内が届きます。"}
        </p>
      </Card>
      <Card title="今月送れるLINE">
        <QuotaLeft quota={quota} />
      </Card>
      <Card title="LINEからの最後の知らせ">
        <p className={classes.moment}>{overview.last_webhook_at === null ? "まだありません" : <Moment at={overview.last_webhook_at} />}</p>
        <p className={classes.explain}>{waiting > 0 ? `${inNumbers(waiting)}件を順番に処理しています。` : "友だちの追加やブロックを受け取った時刻です。"}</p>
      </Card>
    </div>
  );
}

function Card({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.card} aria-label={title}>
      <div className={classes.title}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** LINE may not answer; then the card says so in its place and nothing else on the page changes. */
function QuotaLeft({ quota: { data, isPending } }: { quota: UseQueryResult<Quota> }) {
  if (isPending) return <Skeleton height={72} mt={8} role="status" aria-label="LINEに問い合わせています" />;
  if (!data?.known) {
    return (
      <>
        <p className={classes.moment}>わかりません</p>
        <p className={classes.explain}>LINEに問い合わせできませんでした。送信はできます。</p>
      </>
    );
  }
  if (data.left === null) {
    return (
      <>
        <p className={classes.moment}>上限なし</p>
        <p className={classes.explain}>今月は{inNumbers(data.used ?? 0)}通を送りました。</p>
      </>
    );
  }
  return (
    <>
      <p className={classes.figure}>
        {inNumbers(data.left)}
        <small>通／{inNumbers(data.limit ?? 0)}通</small>
      </p>
      <p className={classes.explain}>1人に1通を送ると、1通を使います。</p>
    </>
  );
}
