import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Body } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import type { ShopDraft } from "../shops/draft";
import type { Shop } from "../shops/queries";
import { ShopDialog } from "../shops/ShopDialog";
import { inNumbers, SHOP_STATUSES } from "../shops/words";

/** What would not fit into half a card. */
const LONG = new Set(["メールアドレス", "STORESのマーチャントID", "STORESの公開ID"]);

/** What is known of the shop, and the form that changes it. */
export function AboutCard({ shop }: { shop: Shop }) {
  const [editing, setEditing] = useState(false);
  const facts = [
    ["店舗コード", shop.code],
    ["営業の状態", SHOP_STATUSES[shop.shop_status].name],
    ["電話番号", shop.phone],
    ["メールアドレス", shop.shop_email],
    ["STORESのマーチャントID", shop.merchant_canonical_id],
    ["STORESの公開ID", shop.merchant_public_id],
  ] as const;
  return (
    <section className={classes.card} aria-labelledby="shop-about">
      <div className={classes.cardHead}>
        <h2 id="shop-about">店舗の情報</h2>
        <Button variant="default" size="sm" onClick={() => setEditing(true)}>
          変更する
        </Button>
      </div>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={LONG.has(name) ? classes.wide : undefined}>
            <dt>{name}</dt>
            <dd>{value || <span className={classes.soft}>未入力</span>}</dd>
          </div>
        ))}
        <div className={classes.wide}>
          <dt>予約ページ</dt>
          <dd>
            {shop.stores_public_url ? (
              <a href={shop.stores_public_url} target="_blank" rel="noreferrer">
                {shop.stores_public_url}
              </a>
            ) : (
              <span className={classes.soft}>未入力</span>
            )}
          </dd>
        </div>
        <div>
          <dt>LINEと連携したお客さま</dt>
          <dd>
            <Link to="/customers" search={{ shop_id: shop.id }}>
              {inNumbers(shop.links)}人
            </Link>
          </dd>
        </div>
        <div>
          <dt>最後の変更</dt>
          <dd>
            <Moment at={shop.updated_at} />
            <br />
            <Link to="/audit" search={{ subject: `shop:${shop.id}` }}>
              履歴を見る
            </Link>
          </dd>
        </div>
      </dl>
      <ShopDialog
        opened={editing}
        close={() => setEditing(false)}
        title={`${shop.name}の変更`}
        action="保存する"
        shop={shop}
        save={(changes) =>
          answerOf(api.PATCH("/api/admin/shops/{shop_id}", { params: { path: { shop_id: shop.id } }, body: changes as Body<"/api/admin/shops/{shop_id}", "patch"> }))
        }
        done={() => {}}
        warning={(draft) => <Consequences shop={shop} draft={draft} />}
      />
    </section>
  );
}

/** What a change means for the customers. */
function Consequences({ shop, draft }: { shop: Shop; draft: ShopDraft }) {
  const moved = draft.code.trim() !== shop.code;
  const unlinked = draft.merchant_canonical_id.trim() !== (shop.merchant_canonical_id ?? "") && shop.links > 0;
  return (
    <>
      {moved && (
        <Notice tone="warning" title="ヘルプページのアドレスが変わります">
          これまでのアドレス（{shop.help_url}）は使えなくなります。配ったチラシやリンクも差し替えてください。
        </Notice>
      )}
      {unlinked && (
        <Notice tone="warning" title="お客さまの連携が使えなくなるかもしれません">
          マーチャントIDを変えると、STORES予約の別の店舗に問い合わせるようになります。連携済みの{inNumbers(shop.links)}人が見つからなくなることがあります。
        </Notice>
      )}
    </>
  );
}
