import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { answerOf, api } from "../api/client";
import { ReasonDialog } from "../booking/ReasonDialog";
import { Notice } from "../frame/Notice";
import { type CustomerLink, thenFresh } from "../shops/queries";
import { nameOf } from "./names";

interface UnlinkCustomerDialogProps {
  link: CustomerLink | null;
  close: () => void;
  done: (text: string) => void;
}

export function UnlinkCustomerDialog({ link, close, done }: UnlinkCustomerDialogProps) {
  const client = useQueryClient();
  // While the dialog closes it still shows whom it was about.
  const last = useRef(link);
  if (link) last.current = link;
  const shown = link ?? last.current;
  if (!shown) return null;
  const { id, shop_name, stores_customer_id } = shown;
  return (
    <ReasonDialog
      opened={link !== null}
      close={close}
      title="お客さまの連携を解除"
      usual={["別の方のLINEだったため", "本人からの申し出", "STORESの顧客情報を統合したため"]}
      label="解除する理由"
      action="連携を解除する"
      danger
      run={(reason) => thenFresh(client, answerOf(api.DELETE("/api/admin/customer-links/{link_id}", { params: { path: { link_id: id } }, body: { reason } })))}
      done={() => done(`${nameOf(shown)}と、${shop_name}の顧客番号${stores_customer_id}の連携を解除しました。`)}
    >
      <p>
        LINEの<strong>{nameOf(shown)}</strong>と、{shop_name}の顧客番号<strong className="figures">{stores_customer_id}</strong>の連携を解除します。
      </p>
      <Notice tone="warning">解除すると、この方はLINEから予約を確かめられなくなります。もう一度使うには、本人だと確かめ直す必要があります。ご本人への知らせは送られません。</Notice>
    </ReasonDialog>
  );
}
