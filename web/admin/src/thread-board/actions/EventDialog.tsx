import { Button } from "@mantine/core";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { slotText } from "../../threads/slot-times";
import { namesInShort, peopleCount, titleOf } from "../../threads/thread";
import { SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

/** Makes an event of the decided date, of everybody who was asked, with what they said about it. */
export function EventDialog({ board, done, close }: DialogProps) {
  const { thread, slots, evaluation, event_take: take } = board;
  const keys = useIdempotencyKeys();
  const slot = slots.find(({ slot_id }) => slot_id === evaluation.final_slot_id);
  const saving = useSaving(
    () => answerOf(api.POST("/api/threads/{thread_id}/event", { params: { path: { thread_id: thread.id } }, headers: { "Idempotency-Key": keys.keyFor("event") }, body: { take: "everybody" } })),
    ({ created }) => done(created ? "イベントを作りました。だれにも送っていません。" : "イベントは、すでに作られています。"),
  );
  return (
    <div className={classes.stack}>
      <p>
        「{titleOf(thread)}」{slot && `（${slotText(slot)}）`}のイベントを作ります。お聞きした会員の全員が対象になり、この日への回答が出欠になります。だれにも送りません。
      </p>
      {take && (
        <ul>
          <li>○の{peopleCount(take.attend)}は「出席」</li>
          <li>×の{peopleCount(take.absent)}は「欠席」</li>
          <li>△の方と、答えていない方の合わせて{peopleCount(take.pending)}は「未回答」</li>
          {take.left_out.length > 0 && <li>{namesInShort(take.left_out)}は、会員名簿にいないため、イベントに入りません。</li>}
        </ul>
      )}
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
