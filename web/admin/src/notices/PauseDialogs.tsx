import { answerOf, api } from "../api/client";
import { ReasonDialog } from "../booking/ReasonDialog";

interface PauseDialogProps {
  opened: boolean;
  close: () => void;
}

export function PauseDialog({ opened, close }: PauseDialogProps) {
  return (
    <ReasonDialog
      opened={opened}
      close={close}
      title="通知を停止する"
      usual={["文面を確かめるため", "予約を大きく変更するため", "システムの点検のため"]}
      action="通知を停止する"
      danger
      run={(reason) => answerOf(api.POST("/api/admin/notifications/pause", { body: { reason } }))}
    >
      <p>
        予約についての連絡を、LINEもメールもすべて止めます。止まるのは、予約確定・リマインド・キャンセル完了の通知と、まだ予約していない人への案内です。予約の受付と、イベント・日程調整の連絡は続きます。
      </p>
      <p>止めているあいだの分は送信待ちのまま残り、再開すると送られます。ただし、そのときまでに始まった予約の通知と、予約を済ませた人への案内は送りません。</p>
    </ReasonDialog>
  );
}

export function ResumeDialog({ opened, close, waiting }: PauseDialogProps & { waiting: number }) {
  return (
    <ReasonDialog
      opened={opened}
      close={close}
      title="通知を再開する"
      usual={["文面を確かめ終えたため", "予約の変更が終わったため", "システムの点検が終わったため"]}
      action="通知を再開する"
      run={(reason) => answerOf(api.POST("/api/admin/notifications/resume", { body: { reason } }))}
    >
      <p>
        次の送信から、時間の来ている通知と、待っている「まだの人」への案内が送られます。送信待ちの通知は、これから先に送るものも含めて{waiting.toLocaleString("ja-JP")}件あります。
      </p>
    </ReasonDialog>
  );
}
