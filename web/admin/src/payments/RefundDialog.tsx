import { useRef } from "react";
import { answerOf, api } from "../api/client";
import { dayText, timeText } from "../booking/days";
import { ReasonDialog } from "../booking/ReasonDialog";
import { Notice } from "../frame/Notice";
import type { Payment } from "./queries";
import { yen } from "./words";

interface RefundDialogProps {
  payment: Payment | null;
  close: () => void;
  done: (text: string) => void;
}

export function RefundDialog({ payment, close, done }: RefundDialogProps) {
  // While the dialog closes it still shows whom it was about.
  const last = useRef(payment);
  if (payment) last.current = payment;
  const shown = payment ?? last.current;
  if (!shown) return null;
  return (
    <ReasonDialog
      opened={payment !== null}
      close={close}
      title="返金する"
      usual={["会場の都合で中止", "二重の支払い", "本人からの申し出"]}
      action={`${yen(shown.amountJpy)}を返金する`}
      danger
      run={(reason) => answerOf(api.POST("/api/admin/payments/{payment_id}/refund", { params: { path: { payment_id: shown.id } }, body: { reason } }))}
      done={() => done(`${shown.fullName}さんへの${yen(shown.amountJpy)}の返金を、Stripeに依頼しています。`)}
    >
      <p>
        <strong>{shown.fullName}</strong>さんの、{dayText(shown.serviceDateLocal)} {timeText(shown.startMinuteOfDay)}「{shown.reservationTypeName}」の料金<strong>{yen(shown.amountJpy)}</strong>
        を、全額返金します。取り消せません。
      </p>
      {shown.reservationState === "confirmed" && (
        <Notice tone="warning" title="予約はそのまま残ります">
          予約も取り消すときは、先に受付の画面で取り消してください。取り消すと、種類の決まりに従って自動で返金されます。
        </Notice>
      )}
      {shown.refund?.status === "FAILED" && <Notice tone="info">前の返金は、Stripeで受け付けられませんでした。もう一度依頼します。</Notice>}
    </ReasonDialog>
  );
}
