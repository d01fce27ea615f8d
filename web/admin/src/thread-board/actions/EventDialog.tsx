import { Button } from "@mantine/core";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { slotText } from "../../threads/slot-times";
import { titleOf } from "../../threads/thread";
import { SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

/** Makes an event of the decided date, with the members who take part. */
export function EventDialog({ board, done, close }: DialogProps) {
  const { thread, slots, evaluation } = board;
  const keys = useIdempotencyKeys();
  const slot = slots.find(({ slot_id }) => slot_id === evaluation.final_slot_id);
  const saving = useSaving(
    () => answerOf(api.POST("/api/threads/{thread_id}/event", { params: { path: { thread_id: thread.id } }, headers: { "Idempotency-Key": keys.keyFor("event") } })),
    ({ created }) => done(created ? "イベントを作りました。" : "イベントは、すでに作られています。"),
  );
  return (
    <div className={classes.stack}>
      <p>
        「{titleOf(thread)}」{slot && `（${slotText(slot)}）`}のイベントを作り、参加する会員を対象にして「出席」と記録します。イベントの画面で、出欠の取りまとめや名簿の印刷ができます。
      </p>
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button data-autofocus loading={saving.busy} onClick={saving.save}>
          イベントを作る
        </Button>
      </div>
    </div>
  );
}
