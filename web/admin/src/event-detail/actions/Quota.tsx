import { Checkbox } from "@mantine/core";
import { Notice } from "../../frame/Notice";
import type { Preview } from "../event";
import classes from "./Actions.module.css";

interface QuotaProps {
  quota: Pick<Preview["quota"], "known" | "left" | "cost" | "promised" | "enough">;
  confirmed: boolean;
  confirm: (confirmed: boolean) => void;
  /** What happens to those for whom nothing is left. */
  beyond?: string;
  /** Nobody would be reached and nothing else would be decided, so that there is nothing to confirm. */
  useless?: boolean;
}

const NOBODY = "いまは、どなたにも送れません。上限が戻ってから送るか、お電話などでお知らせください。";
const NONE_LEFT = "いまはどなたのLINEにも届きません。上限が戻ったあとに「送れなかった人に送る」で送るか、お電話などでお知らせください。";
const LATER = "名簿の順に送れるところまで送り、残りの方には、あとから「送れなかった人に送る」で送れます。";

const count = (messages: number) => `${messages.toLocaleString("ja-JP")}通`;

/** The cost of the message against LINE's monthly limit. Sending beyond the limit needs a confirmation. */
export function Quota({ quota, confirmed, confirm, beyond = LATER, useless = false }: QuotaProps) {
  if (!quota.known) {
    return <p className={classes.quota}>LINEの今月の残り通数を確かめられませんでした（使う通数：{count(quota.cost)}）。このまま送ることはできます。</p>;
  }
  if (quota.left === null) return <p className={classes.quota}>LINEの送信 {count(quota.cost)}を使います（今月の上限はありません）。</p>;
  // Without this note the number would seem to contradict LINE's own page.
  const promised = quota.promised > 0 ? `送信待ちの${count(quota.promised)}を除く` : null;
  if (quota.enough !== false) {
    return (
      <p className={classes.quota}>
        LINEの送信 {count(quota.cost)}を使います（今月の残り {count(quota.left)}
        {promised && `、${promised}`}）。
      </p>
    );
  }
  // Other messages than those of events go by mail and by telephone too, and say so themselves.
  const nobody = quota.left === 0 && beyond === LATER;
  return (
    <Notice tone="warning" title="LINEの今月の上限を超えます">
      <p style={{ margin: "0 0 0.5rem" }}>
        今月の残りは{count(quota.left)}
        {promised && `（${promised}）`}ですが、この送信には{count(quota.cost)}が必要です。{useless ? NOBODY : nobody ? NONE_LEFT : beyond}
      </p>
      {!useless && (
        <Checkbox
          label={nobody ? "いまは届かないことを確かめました。このまま進めます" : "上限を超えることを確かめました。それでも送ります"}
          checked={confirmed}
          onChange={(event) => confirm(event.currentTarget.checked)}
        />
      )}
    </Notice>
  );
}
