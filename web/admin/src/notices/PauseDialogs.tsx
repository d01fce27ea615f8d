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
      <p>予約確定・リマインド・キャンセル完了の通知を、すべて止めます。予約の受付は続きます。</p>
      <p>止めているあいだの通知は送信待ちのまま残り、再開すると送られます。ただし、そのときまでに予約が始まっていると、送れません。</p>
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
        次の送信から、時間の来ている通知が送られます。送信待ちの通知は、これから先に送るものも含めて{waiting.toLocaleString("ja-JP")}件あります。
      </p>
    </ReasonDialog>
  );
}
