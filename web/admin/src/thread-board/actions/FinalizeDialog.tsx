import { Button, Checkbox, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../../../api/errors";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { Notice } from "../../frame/Notice";
import { slotText } from "../../threads/slot-times";
import { type BoardSlot, peopleCount } from "../../threads/thread";
import board from "../Board.module.css";
import { slotWords } from "../words";
import { Confirmation, SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import own from "./Dialogs.module.css";
import { useSaving } from "./useSaving";

const LONGEST_REASON = 200;

/** Decides by hand: the slot, a reason where the rule is not fulfilled, and whether people are told. */
export function FinalizeDialog({ board: shown, slot: given, done, close }: DialogProps & { slot: BoardSlot | null }) {
  const { id } = shown.thread;
  const possible = shown.slots.filter(({ begun }) => !begun);
  const first = given?.slot_id ?? shown.evaluation.would_finalize_slot_id ?? "";
  const [slotId, setSlotId] = useState(first);
  const [reasonText, setReasonText] = useState("");
  const [notify, setNotify] = useState(true);
  const [tried, setTried] = useState(false);
  const [checking, setChecking] = useState(false);
  const [needed, setNeeded] = useState(false);
  const keys = useIdempotencyKeys();
  const slot = possible.find(({ slot_id }) => slot_id === slotId);
  const reason = reasonText.trim();
  const fulfilled = slot !== undefined && (slot.valid || slot.slot_id === shown.evaluation.would_finalize_slot_id);
  const reasonNeeded = slot !== undefined && (!fulfilled || needed);
  const reasonMissing = reasonNeeded && reason === "";
  const body = { selected_slot_id: slotId, ...(reason === "" ? {} : { reason }), notify };
  const finalize = (confirm_over_quota: boolean) => {
    const order = { ...body, confirm_over_quota };
    return answerOf(api.POST("/api/threads/{thread_id}/finalize", { params: { path: { thread_id: id } }, body: order, headers: { "Idempotency-Key": keys.keyFor(order) } }));
  };
  const text = slot ? slotText(slot) : "";
  const finished = ({ told }: { told: number }) => done(`${text}に決定しました。${told > 0 ? `${peopleCount(told)}に知らせます。` : ""}`);
  const saving = useSaving(() => finalize(false), finished);
  const refused = (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "RULE_NOT_SATISFIED") return;
    setNeeded(true);
    setChecking(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (slot === undefined || reasonMissing) return;
    if (notify) setChecking(true);
    else saving.save();
  };
  if (checking) {
    return (
      <Confirmation
        threadId={id}
        order={{ action: "finalize", slot_id: slotId, ...(reason === "" ? {} : { reason }) }}
        send={finalize}
        done={finished}
        refused={refused}
        back={{ label: "入力に戻る", go: () => setChecking(false) }}
        confirm={(people) => `決定して${peopleCount(people)}に知らせる`}
      >
        <p className={own.chosen}>{text}に決定します。</p>
      </Confirmation>
    );
  }
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      <fieldset className={own.slots}>
        <legend>決める日</legend>
        {possible.map((one) => (
          <label key={one.slot_id} data-chosen={one.slot_id === slotId || undefined}>
            <input type="radio" name="final-slot" checked={one.slot_id === slotId} data-autofocus={one.slot_id === first || undefined} onChange={() => setSlotId(one.slot_id)} />
            <span>
              <span className="figures">{slotText(one)}</span>
              <small>
                ○{one.yes}　△{one.maybe}　×{one.no}・{slotWords(one, shown).text}
              </small>
            </span>
          </label>
        ))}
        {possible.length === 0 && <p className={board.empty}>これからの候補日がありません。先に、候補日を追加してください。</p>}
      </fieldset>
      {tried && slot === undefined && possible.length > 0 && (
        <Notice tone="danger" alert>
          決める日を選んでください。
        </Notice>
      )}
      {reasonNeeded && (
        <Notice tone="warning">この日は、決めた条件が揃っていません。それでも決めるときは、理由を書いてください。</Notice>
      )}
      <Textarea
        label={reasonNeeded ? "理由（必須）" : "理由"}
        description="声をかけた方への知らせにも載ります。"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_REASON}
        value={reasonText}
        error={tried && reasonMissing && "理由を書いてください"}
        onChange={(event) => setReasonText(event.currentTarget.value)}
      />
      <Checkbox label="声をかけた全員に知らせる" description="行けないと答えた方にも知らせます。カレンダーの予定は、参加する方だけに送ります。" checked={notify} onChange={(event) => setNotify(event.currentTarget.checked)} />
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button type="submit" loading={saving.busy} disabled={possible.length === 0}>
          {notify ? "確認へ進む" : "知らせずに決定する"}
        </Button>
      </div>
    </form>
  );
}
