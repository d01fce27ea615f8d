import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Badge, type Tone } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import { callsOf, ticketOf, ticketsOf } from "../shops/elsewhere";
import { type Call, recentCallsQuery, recentTicketsQuery, type Shop, type Ticket } from "../shops/queries";
import own from "../shops/Shops.module.css";
import { systemName } from "../shops/systems";

const TICKET_STATUSES: Record<Ticket["status"], { name: string; tone: Tone }> = {
  open: { name: "未対応", tone: "bad" },
  acknowledged: { name: "対応中", tone: "warn" },
  closed: { name: "完了", tone: "plain" },
};

export function TicketsCard({ shop }: { shop: Shop }) {
  const query = useQuery(recentTicketsQuery(shop.id));
  return (
    <RecentCard id="shop-tickets" title="最近のチケット" all={<Link {...ticketsOf(shop.id)}>すべて見る</Link>} query={query} items={query.data?.tickets} empty="チケットはありません。">
      {({ id, title, status, last_seen_at }) => (
        <li key={id}>
          <Link {...ticketOf(id)}>{title}</Link>
          <span className={own.line}>
            <Badge tone={TICKET_STATUSES[status].tone}>{TICKET_STATUSES[status].name}</Badge>
            <span className={classes.soft}>
              <Moment at={last_seen_at} />
            </span>
          </span>
        </li>
      )}
    </RecentCard>
  );
}

export function CallsCard({ shop }: { shop: Shop }) {
  const query = useQuery(recentCallsQuery(shop.id));
  return (
    <RecentCard id="shop-calls" title="最近の呼び出し" all={<Link {...callsOf(shop.id)}>すべて見る</Link>} query={query} items={query.data?.calls} empty="この店舗のための呼び出しは、まだありません。">
      {(call) => (
        <li key={call.id}>
          <span className={own.line}>
            <span>
              {systemName(call.target)} {call.operation}
            </span>
            <Badge tone={worked(call) ? "good" : "bad"}>{worked(call) ? "成功" : `失敗（${call.status_code ?? "応答なし"}）`}</Badge>
          </span>
          <span className={own.small}>
            <Moment at={call.created_at} />・{call.latency_ms.toLocaleString("ja-JP")}ミリ秒
          </span>
        </li>
      )}
    </RecentCard>
  );
}

function worked({ status_code, error }: Call): boolean {
  return error === null && status_code !== null && status_code < 400;
}

interface RecentCardProps<Item> {
  id: string;
  title: string;
  all: ReactNode;
  query: UseQueryResult<unknown>;
  items: readonly Item[] | undefined;
  empty: string;
  children: (item: Item) => ReactNode;
}

function RecentCard<Item>({ id, title, all, query, items, empty, children }: RecentCardProps<Item>) {
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.cardHead}>
        <h2 id={id}>{title}</h2>
        {all}
      </div>
      {query.error && !items && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <p className={classes.emptyLine}>読み込んでいます…</p>}
      {items?.length === 0 && <p className={classes.emptyLine}>{empty}</p>}
      {items && items.length > 0 && <ul className={own.lines}>{items.map(children)}</ul>}
    </section>
  );
}
