import { Button, Checkbox, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { answerOf, api } from "../../api/client";
import classes from "../../event-detail/actions/Actions.module.css";
import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { Notice } from "../../frame/Notice";
import { peopleCount } from "../../threads/thread";
import { Confirmation, SendingFailed } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useSaving } from "./useSaving";

const LONGEST_REASON = 200;

const WORDS = {
  cancel: {
    title: "中止にすると、元に戻せません",
    text: "新しい回答は受け付けなくなります。これまでの回答は、このまま残ります。決定していたときは、参加する方のカレンダーの予定も取り消されます。",
    reason: "中止の理由",
    silent: "知らせずに中止にする",
    confirm: "中止にして",
    done: "日程調整を中止にしました。",
  },
  reopen: {
    title: "決定を取り消し、もう一度回答を受け付けます",
    text: "これまでの回答は残ります。参加する方のカレンダーの予定は取り消されます。",
    reason: "取り消す理由",
    silent: "知らせずに取り消す",
    confirm: "取り消して",
    done: "決定を取り消しました。回答を受け付けています。",
  },
} as const;

/** Ends the thread, or takes the decision back: a reason, whether people are told, and what they would get. */
export function EndDialog({ board, action, done, close }: DialogProps & { action: "cancel" | "reopen" }) {
  const { id, status, event_id } = board.thread;
  const words = WORDS[action];
  const danger = action === "cancel";
  const [reasonText, setReasonText] = useState("");
  const [notify, setNotify] = useState(true);
  const [checking, setChecking] = useState(false);
  const keys = useIdempotencyKeys();
  const reason = reasonText.trim() === "" ? {} : { reason: reasonText.trim() };
  // Nobody has heard of a draft.
  const tells = notify && status !== "draft" && board.people.length > 0;
  const path = action === "cancel" ? ("/api/threads/{thread_id}/cancel" as const) : ("/api/threads/{thread_id}/reopen" as const);
  const end = (confirm_over_quota: boolean) => {
    const body = { ...reason, notify: tells, confirm_over_quota };
    return answerOf(api.POST(path, { params: { path: { thread_id: id } }, body: body as never, headers: { "Idempotency-Key": keys.keyFor(body) } }));
  };
  const finished = ({ told }: { told: number }) => done(`${words.done}${told > 0 ? `${peopleCount(told)}に知らせます。` : ""}`);
  const saving = useSaving(() => end(false), finished);
  if (checking) {
    return (
      <Confirmation
        threadId={id}
        order={{ action, ...reason }}
        send={end}
        done={finished}
        back={{ label: "入力に戻る", go: () => setChecking(false) }}
        confirm={(people) => `${words.confirm}${peopleCount(people)}に知らせる`}
        danger={danger}
      />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tells) setChecking(true);
    else saving.save();
  };
  return (
    <form className={classes.stack} onSubmit={submit} noValidate>
      <Notice tone={danger ? "danger" : "warning"} title={words.title}>
        {words.text}
        {event_id !== null && <p>作成済みのイベントは、このまま残ります。イベントの画面で、日時の変更または中止をしてください。</p>}
      </Notice>
      <Textarea label={words.reason} description="知らせにも載ります。書かなくてもかまいません。" data-autofocus autosize minRows={2} maxRows={6} maxLength={LONGEST_REASON} value={reasonText} onChange={(event) => setReasonText(event.currentTarget.value)} />
      {status !== "draft" && board.people.length > 0 && (
        <Checkbox label="声をかけた方に知らせる" description="送る前に、文面を確かめられます。" checked={notify} onChange={(event) => setNotify(event.currentTarget.checked)} />
      )}
      {saving.error !== null && <SendingFailed error={saving.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={close}>
          やめる
        </Button>
        <Button type="submit" {...(danger ? { color: "var(--red)" } : {})} loading={saving.busy}>
          {tells ? "確認へ進む" : status === "draft" ? "下書きを中止にする" : words.silent}
        </Button>
      </div>
    </form>
  );
}
