import { Button, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { isStale } from "../../../../api/errors";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { Notice } from "../../frame/Notice";
import { LONGEST } from "../../thread-new/draft";
import { deadlineProblem } from "../../thread-new/how/deadline";
import { DeadlineField } from "../../thread-new/how/DeadlineField";
import { Switches } from "../../thread-new/how/Switches";
import { serverErrors } from "../../thread-new/server-errors";
import { refreshThread } from "../../threads/queries";
import { chosenOf } from "../../threads/slot-times";
import { changedByOthers, changesOf, fieldsOf } from "./changes";
import { SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

/** Changes what was said about the thread. Nobody is told by it. */
export function EditDialog({ board, done, close }: DialogProps) {
  const { thread } = board;
  // What was there when the dialog was opened: only what differs from it is a change of this person.
  const [base] = useState(thread);
  const [fields, setFields] = useState(() => fieldsOf(base));
  const [tried, setTried] = useState(false);
  const keys = useIdempotencyKeys();
  const changes = changesOf(base, fields);
  const theirs = changedByOthers(base, thread, changes);
  const body = { revision: thread.revision, ...changes };
  const saving = useSaving(
    () => answerOf(api.PATCH("/api/threads/{thread_id}", { params: { path: { thread_id: thread.id } }, body: body as never, headers: { "Idempotency-Key": keys.keyFor(body) } })),
    () => done("変更を保存しました。"),
  );
  const refused = serverErrors(saving.error);
  const deadline = "deadline_at" in changes ? deadlineProblem(fields.deadline, new Date()) : null;
  const untitled = fields.title.trim() === "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (untitled || deadline !== null) return;
    if (Object.keys(changes).length === 0) close();
    else saving.save();
  };
  const stale = isStale(saving.error);
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      <TextInput label="題名" data-autofocus maxLength={LONGEST.title} value={fields.title} error={(tried && untitled && "題名を入力してください") || refused?.title} onChange={(event) => setFields({ ...fields, title: event.currentTarget.value })} />
      <TextInput label="場所" maxLength={LONGEST.place} value={fields.place} error={refused?.place} onChange={(event) => setFields({ ...fields, place: event.currentTarget.value })} />
      <Textarea label="説明" autosize minRows={3} maxRows={10} maxLength={LONGEST.description} value={fields.description} error={refused?.description} onChange={(event) => setFields({ ...fields, description: event.currentTarget.value })} />
      <DeadlineField at={fields.deadline} slots={board.slots.map(chosenOf)} change={(at) => setFields({ ...fields, deadline: at })} error={(tried ? deadline : null) ?? refused?.deadline_at} />
      <Switches options={fields} change={(given) => setFields({ ...fields, ...given })} />
      {thread.status === "active" && <p className={classes.quota}>変えたことは、声をかけた方には知らせません。期限を変えると、まだ答えていない方の期限も変わります。</p>}
      {theirs.length > 0 && (
        <Notice tone="warning" title="ほかの方も、同じところを変えました">
          {theirs.join("、")}は、ここで保存すると、ご自分の入力に置きかわります。
        </Notice>
      )}
      {stale && (
        <Notice tone="warning" title="ほかの方が、先に変更しました" alert>
          <p style={{ margin: "0 0 0.5rem" }}>入力はそのままです。新しい内容を読み込んでから、もう一度保存してください。</p>
          <Button variant="default" size="sm" onClick={() => refreshThread(thread.id)}>
            新しい内容を読み込む
          </Button>
        </Notice>
      )}
      {saving.error !== null && !stale && refused === null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button type="submit" loading={saving.busy}>
          変更を保存する
        </Button>
      </div>
    </form>
  );
}
