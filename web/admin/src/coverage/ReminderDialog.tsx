import { Button, Skeleton, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, Unreachable } from "../../../api/errors";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import { serverErrors } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import actions from "../event-detail/actions/Actions.module.css";
import { PhonePreview } from "../event-detail/actions/PhonePreview";
import { Quota } from "../event-detail/actions/Quota";
import { useIdempotencyKeys } from "../event-detail/actions/useIdempotencyKeys";
import { useSingleFlight } from "../event-detail/actions/useSingleFlight";
import { Failure } from "../frame/Failure";
import { Notice } from "../frame/Notice";
import { Refusal } from "../members/Refusal";
import { reminderPreviewQuery, type ReminderAudience, type ReminderPreview, type ReminderQueued } from "./queries";
import { ReminderPeople } from "./ReminderPeople";
import { sendText } from "./reminders";

interface ReminderDialogProps {
  opened: boolean;
  close: () => void;
  audience: ReminderAudience;
  /** What they have not booked, and who they are, in words. */
  about: string;
  done: (result: ReminderQueued) => void;
}

export function ReminderDialog({ opened, close, ...order }: ReminderDialogProps) {
  return (
    <Dialog opened={opened} close={close} title="まだの人に知らせる" size="lg">
      {opened && <ReminderOrder close={close} {...order} />}
    </Dialog>
  );
}

const PAUSE_MS = 400;

/** The preview before anything is sent: who, what, at which cost. One button sends it. */
function ReminderOrder({ close, audience, about, done }: Omit<ReminderDialogProps, "opened">) {
  const client = useQueryClient();
  const keys = useIdempotencyKeys();
  const runOnce = useSingleFlight();
  const [text, setText] = useState<string | null>(null);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const [overQuota, setOverQuota] = useState(false);
  const sending = useMutation({
    mutationFn: () => {
      const body = { ...audience, text, confirmOverQuota: overQuota };
      return answerOf(api.POST("/api/admin/coverage/reminders", { body, headers: { "Idempotency-Key": keys.keyFor(body) } }));
    },
    onSuccess: (result) => {
      close();
      done(result);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === "QUOTA_EXCEEDED") void preview.refetch();
    },
    onSettled: () => bookingChanged(client),
  });
  const preview = useQuery({ ...reminderPreviewQuery(audience, settled), enabled: !sending.isPending && !sending.isSuccess });
  const shown = preview.data;
  const wrong = serverErrors(preview.error)["text"] ?? serverErrors(sending.error)["text"];
  const outdated = text !== settled || preview.isPlaceholderData || preview.isError;
  if (!shown) {
    return preview.isError ? <Failure error={preview.error} retry={() => void preview.refetch()} /> : <Skeleton height={260} role="status" aria-label="読み込んでいます" />;
  }
  const nobody = shown.recipientsTotal === 0;
  return (
    <div className={actions.stack}>
      <p>{about}に、予約をお願いするメッセージを送ります。送る前に予約した方には送りません。おひとりに1日1回までです。</p>
      <ReminderPeople preview={shown} audience={audience} close={close} />
      {!nobody && (
        <>
          {shown.freeSeats === 0 && (
            <Notice tone="warning" title="いま予約できる空きがありません">
              このまま送っても、予約できる枠が見つかりません。先に予約枠を作るか、公開してください。
            </Notice>
          )}
          <Textarea
            label="メッセージ"
            description="最後に、予約の画面へのリンクが付きます。"
            size="md"
            autosize
            minRows={3}
            maxRows={8}
            maxLength={1000}
            value={text ?? shown.text}
            error={wrong}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <PhonePreview messages={shown.messages} />
          <Quota quota={shown.quota} confirmed={overQuota} confirm={setOverQuota} beyond="部署と職員番号の順に、LINEで送れるところまで送ります。残りの方には、メールで送れればメールで送ります。どちらでも送れない方には、上限が戻ってから、もう一度知らせてください。" />
        </>
      )}
      {preview.isError && wrong === undefined && <Refusal title="見本を読み込めませんでした" error={preview.error} />}
      {sending.isError && wrong === undefined && <Refusal title="送信できませんでした" error={sending.error} />}
      {sending.error instanceof Unreachable && <p>もう一度押しても、二重に届くことはありません。</p>}
      <Foot preview={shown} close={close} busy={sending.isPending} ready={!outdated && (shown.quota.enough !== false || overQuota)} send={() => runOnce(() => sending.mutateAsync())} />
    </div>
  );
}

interface FootProps {
  preview: ReminderPreview;
  close: () => void;
  busy: boolean;
  ready: boolean;
  send: () => void;
}

function Foot({ preview, close, busy, ready, send }: FootProps) {
  const nobody = preview.recipientsTotal === 0;
  return (
    <div className={actions.foot}>
      <Button variant="default" onClick={close} disabled={busy}>
        {nobody ? "閉じる" : "やめる"}
      </Button>
      {!nobody && (
        <Button loading={busy} disabled={!ready} onClick={send}>
          {sendText(preview)}
        </Button>
      )}
    </div>
  );
}
