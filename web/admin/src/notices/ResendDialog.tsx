import { Checkbox } from "@mantine/core";
import { useRef, useState } from "react";
import { ApiError } from "../../../api/errors";
import { answerOf, api } from "../api/client";
import { ReasonDialog } from "../booking/ReasonDialog";
import { Notice } from "../frame/Notice";
import type { Resendable } from "./queries";
import { KIND_NAMES } from "./words";

export const USUAL = ["原因が直ったため", "上限が戻ったため", "本人に届いていないことを確認"] as const;

interface ResendDialogProps {
  notice: Resendable | null;
  close: () => void;
  done: (text: string) => void;
}

export function ResendDialog({ notice, close, done }: ResendDialogProps) {
  const last = useRef(notice);
  if (notice) last.current = notice;
  const shown = notice ?? last.current;
  return shown ? <Resend key={shown.cell.job_id} notice={shown} opened={notice !== null} close={close} done={done} /> : null;
}

function Resend({ notice: { row, kind, cell }, opened, close, done }: ResendDialogProps & { notice: Resendable; opened: boolean }) {
  // The time after which LINE no longer recognises a repetition may pass while the dialog is open.
  const [passed, setPassed] = useState(false);
  const [accepted, setAccepted] = useState(false);
  const twice = cell.may_arrive_twice || passed;
  const leave = () => {
    setAccepted(false);
    close();
  };
  return (
    <ReasonDialog
      opened={opened}
      close={leave}
      title="通知を再送する"
      usual={USUAL}
      action="再送する"
      ready={!twice || accepted}
      run={async (reason) => {
        const params = { path: { job_id: cell.job_id } };
        try {
          return await answerOf(api.POST("/api/admin/notifications/{job_id}/resend", { params, body: { reason, accept_duplicate: twice && accepted } }));
        } catch (error) {
          setPassed(error instanceof ApiError && error.code === "MAYBE_SENT");
          throw error;
        }
      }}
      done={() => done(`${row.staff_name}さんの「${KIND_NAMES[kind]}」を送信待ちにしました。次の送信で送ります。`)}
    >
      <p>
        <strong>{row.staff_name}</strong>さんの「{row.reservation_type_name}」（<span className="figures">{row.begins_at}</span>）の、<strong>{KIND_NAMES[kind]}</strong>
        の通知1通を送信待ちにします。次の送信（ふつうは1分以内）で送られ、この画面に結果が出ます。
      </p>
      {twice ? (
        <Notice tone="warning" title="二重に届くことがあります">
          <p style={{ margin: "0 0 0.5rem" }}>
            前の送信にLINEの確かな返事がなく、届いているかもしれません。23時間以上たったため、同じ通知をLINEが見分けられません。先に本人に確認してください。
          </p>
          <Checkbox label="二重に届いてもよいので、再送する" checked={accepted} onChange={(event) => setAccepted(event.currentTarget.checked)} />
        </Notice>
      ) : (
        <p>前の送信と合わせて、二重に届くことはありません。</p>
      )}
    </ReasonDialog>
  );
}
