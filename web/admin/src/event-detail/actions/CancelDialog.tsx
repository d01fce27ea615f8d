import { Button, Checkbox, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "../../api/client";
import { Notice } from "../../frame/Notice";
import { messagePreviewQuery } from "../queries";
import classes from "./Actions.module.css";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { fieldError, messageOf } from "./field-errors";
import { useIdempotencyKeys } from "./useIdempotencyKeys";
import { useSingleFlight } from "./useSingleFlight";

const RED = "var(--red)";
const MAX_REASON = 200;

/** Cancels the event. It cannot be undone, so both steps of the dialog say so. */
export function CancelDialog({ event, done, close }: DialogProps) {
  const client = useQueryClient();
  const keys = useIdempotencyKeys();
  const runOnce = useSingleFlight();
  const [reasonText, setReasonText] = useState("");
  const [notify, setNotify] = useState(true);
  const [confirming, setConfirming] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const reason = reasonText.trim();
  const request = { kind: "cancel", reason } as const;

  function cancel(confirm_over_quota: boolean) {
    const body = { reason, notify, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/cancellation", { params, body, headers }));
  }
  const submitting = useMutation({
    mutationFn: async () => {
      setRefusal(null);
      if (!notify) return cancel(false);
      await client.fetchQuery(messagePreviewQuery(event.id, request));
      return null;
    },
    onSuccess: (result) => (result === null ? setConfirming(true) : done("中止", result)),
    onError: setRefusal,
  });
  const submit = (change: FormEvent) => {
    change.preventDefault();
    runOnce(() => submitting.mutateAsync());
  };

  if (confirming) {
    return (
      <Confirmation
        eventId={event.id}
        request={request}
        send={cancel}
        done={(result) => done("中止", result)}
        back={{ label: "入力に戻る", go: () => setConfirming(false) }}
        withoutAnybody="LINEで知らせずに中止にする"
        danger
      >
        <Warning />
      </Confirmation>
    );
  }
  const reasonError = fieldError(refusal, "reason");
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      <Warning />
      {refusal !== null && !reasonError && (
        <Notice tone="danger" alert>
          {messageOf(refusal)}
        </Notice>
      )}
      <Textarea
        label="中止の理由"
        description="対象の方にも表示されます。書かなくてもかまいません。"
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        maxLength={MAX_REASON}
        value={reasonText}
        error={reasonError}
        onChange={(change) => setReasonText(change.currentTarget.value)}
      />
      <Checkbox
        label="中止を知らせる"
        description="案内が届いている方に、LINEで中止を知らせます。送る前に、文面を確かめられます。"
        checked={notify}
        onChange={(change) => setNotify(change.currentTarget.checked)}
      />
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button type="submit" color={RED} loading={submitting.isPending}>
          {notify ? "確認へ進む" : "知らせずに中止にする"}
        </Button>
      </div>
    </form>
  );
}

function Warning() {
  return (
    <Notice tone="danger" title="中止にすると、元に戻せません">
      新しい回答は受け付けなくなります。これまでの回答は、このまま残ります。
    </Notice>
  );
}
