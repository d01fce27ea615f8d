import { Button } from "@mantine/core";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import { ReasonDialog } from "../booking/ReasonDialog";
import { DangerIcon } from "../frame/icons";
import { Moment } from "../frame/Moment";
import classes from "./Payments.module.css";
import type { Mismatch } from "./queries";
import { mismatchText } from "./words";

/** Money that does not fit its reservation: nothing happens by itself, so somebody has to look at each. */
export function Mismatches({ mismatches, total, done }: { mismatches: readonly Mismatch[]; total: number; done: (text: string) => void }) {
  const [resolving, setResolving] = useState<Mismatch | null>(null);
  if (mismatches.length === 0) return null;
  return (
    <section className={classes.mismatches} aria-labelledby="payment-mismatches">
      <h2 id="payment-mismatches">確かめてほしい支払い（{total.toLocaleString("ja-JP")}件）</h2>
      <p>金額などが予約と合わないため、予約を確定していません。Stripeの管理画面で確かめ、返金などをしてから、何をしたかを記録してください。</p>
      <ul>
        {mismatches.map((mismatch) => (
          <li key={mismatch.eventId}>
            <DangerIcon />
            <div>
              <strong>{mismatchText(mismatch)}</strong>
              <small>
                <Moment at={mismatch.receivedAt} />
                {mismatch.livemode === false && "・テスト用の支払い"}
              </small>
              <details className={classes.fold}>
                <summary>Stripeで探すための内容</summary>
                <dl>
                  {facts(mismatch).map(([name, value]) => (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              </details>
            </div>
            <Button variant="default" size="sm" aria-label={`${mismatch.eventId}の対応を記録する`} onClick={() => setResolving(mismatch)}>
              対応を記録する
            </Button>
          </li>
        ))}
      </ul>
      <ResolveDialog mismatch={resolving} close={() => setResolving(null)} done={done} />
    </section>
  );
}

function facts({ eventId, type, sessionId, paymentIntentId, detail }: Mismatch): [string, string][] {
  const all: [string, string | null][] = [
    ["イベント", eventId],
    ["種類", type],
    ["支払いページ", sessionId],
    ["支払い", paymentIntentId],
    ["合わない内容", detail],
  ];
  return all.filter((fact): fact is [string, string] => fact[1] !== null);
}

function ResolveDialog({ mismatch, close, done }: { mismatch: Mismatch | null; close: () => void; done: (text: string) => void }) {
  return (
    <ReasonDialog
      opened={mismatch !== null}
      close={close}
      title="対応を記録する"
      label="何をしたか"
      usual={["Stripeの管理画面で返金した", "本人に確かめて、そのまま受け取った", "テストの支払いのため対応不要"]}
      action="記録して一覧から外す"
      run={(note) => answerOf(api.POST("/api/admin/stripe-events/{event_id}/resolve", { params: { path: { event_id: mismatch?.eventId ?? "" } }, body: { note } }))}
      done={() => done("対応を記録しました。")}
    >
      <p>{mismatch && mismatchText(mismatch)}。記録すると、この一覧から外れます。お金は動きません。</p>
    </ReasonDialog>
  );
}
