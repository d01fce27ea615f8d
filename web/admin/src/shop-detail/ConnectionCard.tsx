import { useQuery } from "@tanstack/react-query";
import classes from "../booking/Booking.module.css";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { SystemLight } from "../shops/Light";
import { type Shop, secretsQuery } from "../shops/queries";
import { pauseText } from "../shops/systems";
import { SecretPanel } from "./SecretPanel";
import own from "./ShopDetail.module.css";

/** Whether the shop reaches its outside systems, and with which secrets. */
export function ConnectionCard({ shop }: { shop: Shop }) {
  const { data, error, refetch } = useQuery(secretsQuery(shop.id));
  const paused = shop.systems.some((system) => pauseText(system) !== null);
  return (
    <section className={classes.card} aria-labelledby="shop-connection">
      <h2 id="shop-connection">STORES予約との接続</h2>
      {shop.systems.map((system) => (
        <div key={system.system} className={own.system}>
          <SystemLight system={system} why />
          {system.last_error !== null && system.light !== "ok" && (
            <details className={own.fold}>
              <summary>最後のエラー</summary>
              <p>{system.last_error}</p>
            </details>
          )}
        </div>
      ))}
      {paused && (
        <Notice tone="warning" className={classes.notice}>
          失敗が続いたため、お客さまを待たせないように、しばらくSTORES予約への問い合わせを止めています。時間になると、自動で1回試して再開します。
        </Notice>
      )}
      {shop.merchant_canonical_id === null && (
        <Notice tone="warning" className={classes.notice} title="マーチャントIDが未入力です">
          「店舗の情報」の「変更する」から、STORESのマーチャントIDを入力してください。
        </Notice>
      )}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.secrets.map((secret) => (
        <SecretPanel key={secret.key} shop={shop} secret={secret} />
      ))}
    </section>
  );
}
