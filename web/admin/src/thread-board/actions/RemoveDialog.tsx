import { Button } from "@mantine/core";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { slotText } from "../../threads/slot-times";
import type { BoardPerson, BoardSlot } from "../../threads/thread";
import { SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

interface RemoveDialogProps extends DialogProps {
  what: { slot: BoardSlot } | { person: BoardPerson };
}

/** Takes a date or a person away. Nobody is told. */
export function RemoveDialog({ board, what, done, close }: RemoveDialogProps) {
  const keys = useIdempotencyKeys();
  const { id } = board.thread;
  const name = "slot" in what ? slotText(what.slot) : `${what.person.name}さん`;
  const remove = () => {
    const headers = { "Idempotency-Key": keys.keyFor("remove") };
    if ("slot" in what) return answerOf(api.DELETE("/api/threads/{thread_id}/slots/{slot_id}", { params: { path: { thread_id: id, slot_id: what.slot.slot_id } }, headers }));
    return answerOf(api.DELETE("/api/threads/{thread_id}/invitees/{invitee_key}", { params: { path: { thread_id: id, invitee_key: what.person.invitee_key } }, headers }));
  };
  const saving = useSaving<unknown>(remove, () => done(`${name}を外しました。`));
  return (
    <div className={classes.stack}>
      <p>
        <strong>{name}</strong>を外します。{explain(what)}
      </p>
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" data-autofocus onClick={close}>
          やめる
        </Button>
        <Button color="var(--red)" loading={saving.busy} onClick={saving.save}>
          外す
        </Button>
      </div>
    </div>
  );
}

function explain(what: RemoveDialogProps["what"]): string {
  if ("slot" in what) {
    const given = what.slot.yes + what.slot.maybe;
    return given > 0 ? `この日に○か△を付けた${given}人の回答も、この日の分が消えます。知らせは届きません。` : "知らせは届きません。";
  }
  const answered = what.person.responded_at !== null ? "この方の回答も消えます。" : "";
  return `この方のリンクは使えなくなり、決め方からも外れます。${answered}知らせは届きません。`;
}
