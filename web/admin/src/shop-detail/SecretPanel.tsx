import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { Refusal } from "../members/Refusal";
import { type Secret, type Shop, thenFresh } from "../shops/queries";
import { inNumbers } from "../shops/words";
import { SecretDialog } from "./SecretDialog";
import own from "./ShopDetail.module.css";
import { agoText, secretName } from "./secrets";
import { useSlow } from "./useSlow";

/** A secret of the shop. Nobody reads its value again: it can be replaced, tried and removed. */
export function SecretPanel({ shop, secret }: { shop: Shop; secret: Secret }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<"set" | "delete" | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const path = { params: { path: { shop_id: shop.id, key: "STORES_API_TOKEN" as const } } };
  const name = secretName(secret.key);
  const trying = useMutation({
    mutationFn: () => thenFresh(client, answerOf(api.POST("/api/admin/shops/{shop_id}/secrets/{key}/test", path))),
  });
  const slow = useSlow(trying.isPending);
  const close = () => setAsked(null);
  /** What was said about the value before does not hold for the next one. */
  function changed(text: string): void {
    trying.reset();
    setTold(text);
  }
  function tryIt(): void {
    setTold(null);
    if (!trying.isPending) trying.mutate();
  }
  return (
    <section className={own.secret} aria-labelledby={`secret-${secret.key}`}>
      <h3 id={`secret-${secret.key}`}>
        {name}
        <Badge tone={secret.set ? "good" : "bad"}>{secret.set ? "登録済み" : "未登録"}</Badge>
      </h3>
      {secret.set ? (
        <dl className={classes.facts}>
          <div>
            <dt>値</dt>
            <dd className="figures">{secret.last_four === null ? "（表示できません）" : `••••${secret.last_four}`}</dd>
          </div>
          <div>
            <dt>登録した日時</dt>
            <dd>
              {secret.updated_at && <Moment at={secret.updated_at} />}
              <small className={own.soft}>{secret.age_days !== null && agoText(secret.age_days)}</small>
            </dd>
          </div>
          <div>
            <dt>最後に使った日時</dt>
            <dd>{secret.last_used_at ? <Moment at={secret.last_used_at} /> : <span className={classes.soft}>まだありません</span>}</dd>
          </div>
        </dl>
      ) : (
        <p className={own.missing}>登録するまで、この店舗のお客さまをSTORES予約で探せません。</p>
      )}
      <div className={`${classes.buttons} ${own.buttons}`}>
        {secret.set && (
          <Button onClick={tryIt} loading={trying.isPending}>
            接続を確かめる
          </Button>
        )}
        <Button variant={secret.set ? "default" : "filled"} onClick={() => setAsked("set")}>
          {secret.set ? "入れ替える" : `${name}を登録する`}
        </Button>
        {secret.set && (
          <Button variant="subtle" color="var(--red)" onClick={() => setAsked("delete")}>
            削除する
          </Button>
        )}
      </div>
      <div role="status" className={own.result}>
        {slow && <p>STORES予約の返事を待っています。最長で1分ほどかかることがあります。</p>}
        {told !== null && <Notice tone="success">{told}</Notice>}
        {trying.data && (
          <Notice tone={trying.data.ok ? "success" : "danger"} title={trying.data.ok ? "接続できました" : "接続できませんでした"}>
            {trying.data.message}
            <small className={own.soft}>
              {trying.data.ok ? `応答まで ${inNumbers(trying.data.latency_ms)}ミリ秒` : `結果のコード ${trying.data.code}`}
            </small>
          </Notice>
        )}
      </div>
      {trying.isError && <Refusal title="確かめられませんでした" error={trying.error} />}
      <SecretDialog
        opened={asked === "set"}
        close={close}
        title={secret.set ? `${name}の入れ替え` : `${name}の登録`}
        replaced={secret.set}
        save={(value) => thenFresh(client, answerOf(api.PUT("/api/admin/shops/{shop_id}/secrets/{key}", { ...path, body: { value } })))}
        done={() => changed(`${name}を登録しました。「接続を確かめる」で、STORES予約につながるかを確かめてください。`)}
      />
      <ConfirmDialog
        opened={asked === "delete"}
        close={close}
        title={`${name}の削除`}
        action="削除する"
        danger
        run={() => thenFresh(client, answerOf(api.DELETE("/api/admin/shops/{shop_id}/secrets/{key}", path)))}
        done={() => changed(`${name}を削除しました。`)}
      >
        <p>
          {shop.name}の{name}
          {secret.last_four === null ? "" : `（末尾 ${secret.last_four}）`}を削除します。
        </p>
        <Notice tone="danger" title="お客さまが予約を確かめられなくなります">
          別のトークンを登録するまで、ヘルプページでもLINEでも、この店舗のお客さまを探せません。削除した値は、この画面からは元に戻せません。
        </Notice>
      </ConfirmDialog>
    </section>
  );
}
