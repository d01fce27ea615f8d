import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { SlotPicker } from "../../thread-new/when/SlotPicker";
import { type ChosenSlot, chosenOf, chosenText, wireSlot } from "../../threads/slot-times";
import { peopleCount } from "../../threads/thread";
import { Confirmation, SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

/** Adds dates. Those who have answered are asked for the new ones only. */
export function AddSlotsDialog({ board, done, close }: DialogProps) {
  const { id, status } = board.thread;
  const [slots, setSlots] = useState<ChosenSlot[]>([]);
  const [notify, setNotify] = useState(true);
  const [checking, setChecking] = useState(false);
  const keys = useIdempotencyKeys();
  // Those who have not answered yet see the new dates when they open their link.
  const answered = board.people.filter((person) => person.responded_at !== null).map(({ invitee_key }) => invitee_key);
  const tells = notify && status === "active" && answered.length > 0;
  const add = (confirm_over_quota: boolean) => {
    const body = { slots: slots.map(wireSlot), notify: tells, confirm_over_quota };
    return answerOf(api.POST("/api/threads/{thread_id}/slots", { params: { path: { thread_id: id } }, body: body as never, headers: { "Idempotency-Key": keys.keyFor(body) } }));
  };
  const finished = () => done(`${slots.length}個の候補日を追加しました。`);
  const saving = useSaving(() => add(false), finished);
  if (checking) {
    return (
      <Confirmation
        threadId={id}
        order={{ action: "add_slots", invitee_keys: answered }}
        send={add}
        done={finished}
        back={{ label: "選び直す", go: () => setChecking(false) }}
        confirm={(people) => `追加して${peopleCount(people)}に知らせる`}
      >
        <p>
          追加する候補日：<strong className="figures">{slots.map((slot) => chosenText(slot)).join("、")}</strong>
        </p>
      </Confirmation>
    );
  }
  return (
    <div className={classes.stack}>
      <SlotPicker slots={slots} choose={setSlots} fixed={board.slots.map(chosenOf)} />
      {status === "active" && answered.length > 0 && (
        <Checkbox label={`すでに答えた${peopleCount(answered.length)}に知らせる`} description="増えた候補日への回答をお願いします。まだ答えていない方には、いまのリンクで新しい候補日も見えます。" checked={notify} onChange={(event) => setNotify(event.currentTarget.checked)} />
      )}
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button disabled={slots.length === 0} loading={saving.busy} onClick={() => (tells ? setChecking(true) : saving.save())}>
          {tells ? "確認へ進む" : "追加する"}
        </Button>
      </div>
    </div>
  );
}
