import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { readConfig } from "../../../api/config";
import type { CallsSearch } from "../calls/search";
import booking from "../booking/Booking.module.css";
import { CommandLine } from "../frame/CommandLine";
import { Empty } from "../frame/Empty";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { PageHeading } from "../frame/PageHeading";
import { SystemLight } from "../shops/Light";
import { shopsQuery } from "../shops/queries";
import { CheckHistory } from "./CheckHistory";
import { CheckNow } from "./CheckNow";
import classes from "./Connections.module.css";
import { ConnectionTabs } from "./Tabs";
import { callsTo, hasTrouble } from "./words";

/** How the outside systems work, as the latest calls showed, and a check that a person asks for. */
export function ConnectionsPage() {
  const lights = useQuery(shopsQuery);
  return (
    <>
      <PageHeading title="外部との接続">外部のサービスの様子です。実際の呼び出しの結果から分かることだけを表示し、ひとりでに問い合わせることはありません。</PageHeading>
      <ConnectionTabs />
      {!lights.data && <div className={booking.notice}>{lights.isError ? <Failure error={lights.error} retry={() => void lights.refetch()} /> : <ListSkeleton />}</div>}
      {lights.data && (
        <>
          <section className={booking.card} aria-labelledby="shared-systems">
            <h2 id="shared-systems">全体で使うもの</h2>
            <ul className={classes.systems}>
              {lights.data.systems.map((system) => (
                <li key={system.system}>
                  <SystemLight system={system} why />
                  {hasTrouble(system) && <FailedCalls search={callsTo(system.system)} />}
                </li>
              ))}
            </ul>
          </section>
          <section className={booking.card} aria-labelledby="shop-systems">
            <h2 id="shop-systems">店舗ごと</h2>
            {lights.data.shops.length === 0 && (
              <Empty title="店舗がまだありません">
                <Link to="/shops">店舗の画面</Link>で登録すると、STORES予約の様子がここに並びます。
              </Empty>
            )}
            <ul className={classes.systems}>
              {lights.data.shops.map((shop) => (
                <li key={shop.id}>
                  <Link className={classes.shop} to="/shops/$shopId" params={{ shopId: String(shop.id) }}>
                    {shop.name}
                  </Link>
                  {shop.systems.map((system) => (
                    <SystemLight key={system.system} system={system} why />
                  ))}
                  {shop.systems.some(hasTrouble) && <FailedCalls search={{ shop_id: shop.id }} />}
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
      <CheckNow />
      <CheckHistory />
      <p className={classes.command}>同じことを、サーバーでも確かめられます。</p>
      <CommandLine command={`${readConfig().command} connectivity`} />
    </>
  );
}

function FailedCalls({ search }: { search: CallsSearch }) {
  return (
    <Link className={classes.calls} to="/connections/calls" search={{ ...search, status: "failed" }}>
      失敗した呼び出しを見る
    </Link>
  );
}
