import { Button, Checkbox, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "../../api/client";
import { Notice } from "../../frame/Notice";
import { noticeQuery } from "../queries";
import classes from "./Actions.module.css";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { faultOf, messageOf } from "./faults";
import { useKeys } from "./useKeys";
import { useOneAtATime } from "./useOneAtATime";

const RED = "var(--red)";
const LONGEST_REASON = 200;

/** A step that cannot be taken back, and is said to be one before and while it is taken. */
export function CancelDialog({ event, done, close }: DialogProps) {
  const client = useQueryClient();
  const keys = useKeys();
  const once = useOneAtATime();
  const [given, setGiven] = useState("");
  const [notify, setNotify] = useState(true);
  const [looking, setLooking] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const reason = given.trim();
  const ask = { kind: "cancel", reason } as const;

  function cancel(confirm_over_quota: boolean) {
    const body = { reason, notify, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/cancellation", { params, body, headers }));
  }
  const going = useMutation({
    mutationFn: async () => {
      setRefusal(null);
      if (!notify) return cancel(false);
      await client.fetchQuery(noticeQuery(event.id, ask));
      return null;
    },
    onSuccess: (told) => (told === null ? setLooking(true) : done("中止", told)),
    onError: setRefusal,
  });
  const submit = (change: FormEvent) => {
    change.preventDefault();
    once(() => going.mutateAsync());
  };

  if (looking) {
    return (
      <Confirmation
        eventId={event.id}
        ask={ask}
        send={cancel}
        done={(told) => done("中止", told)}
        back={{ label: "入力に戻る", go: () => setLooking(false) }}
        serious
      >
        <Warning />
      </Confirmation>
    );
  }
  const fault = faultOf(refusal, "reason");
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      <Warning />
      {refusal !== null && !fault && (
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
        maxLength={LONGEST_REASON}
        value={given}
        error={fault}
        onChange={(change) => setGiven(change.currentTarget.value)}
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
        <Button type="submit" color={RED} loading={going.isPending}>
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
