import { Checkbox } from "@mantine/core";
import { Notice } from "../../frame/Notice";
import { FieldError } from "../Field";
import type { Preview } from "../queries";
import classes from "./Confirm.module.css";

interface QuotaProps {
  quota: Preview["quota"];
  confirmed: boolean;
  error: string | undefined;
  onConfirm: (ticked: boolean) => void;
}

/** What this costs of LINE's monthly limit. Too little is no refusal, but it has to be meant. */
export function Quota({ quota, confirmed, error, onConfirm }: QuotaProps) {
  const count = (value: number | null) => `${(value ?? 0).toLocaleString("ja-JP")}通`;
  if (!quota.known) {
    return (
      <Notice tone="warning" title="LINEの残りの通数を、いま確かめられません">
        {`この送信で${count(quota.cost)}を使います。送信はできますが、今月の上限を超えると、一部の方に届かないことがあります。`}
      </Notice>
    );
  }
  // Otherwise the number would not agree with what LINE's own page says.
  const promised = quota.promised > 0 ? `送信待ちの${count(quota.promised)}を除く` : null;
  if (quota.enough !== false) {
    return (
      <dl className={classes.summary}>
        <div className={classes.fact}>
          <dt>LINEの通数</dt>
          <dd className={classes.quota}>
            {`この送信で${count(quota.cost)}`}
            <small>{quota.left === null ? "今月の上限はありません" : `今月の残り ${count(quota.left)}（送信前${promised ? `、${promised}` : ""}）`}</small>
          </dd>
        </div>
      </dl>
    );
  }
  return (
    <div>
      <Notice tone="danger" title="LINEで今月送れる数が足りません">
        {`この送信には${count(quota.cost)}が必要ですが、今月の残りは${count(quota.left)}${promised ? `（${promised}）` : ""}です。${
          quota.left === 0
            ? "いまは、どなたのLINEにも届きません。イベントを作っておいて、上限が戻ったあとに、イベントの画面の「送れなかった人に送る」からまとめて送れます。"
            : "このまま送ると、名簿の順に送れるところまで送り、残りの方には届きません。残りの方には、上限が戻ったあとにイベントの画面からまとめて送れます。"
        }`}
        <Checkbox
          className={classes.over ?? ""}
          size="md"
          label={quota.left === 0 ? "いまは届かないことを承知で、イベントを作成する" : "届かない方が出ることを承知で、送信する"}
          checked={confirmed}
          aria-invalid={error !== undefined}
          aria-describedby="over-quota-error"
          onChange={(event) => onConfirm(event.currentTarget.checked)}
        />
        <div id="over-quota-error" className={classes.overError}>
          <FieldError>{error}</FieldError>
        </div>
      </Notice>
    </div>
  );
}
