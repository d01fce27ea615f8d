import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Unreachable } from "../../../../api/errors";
import { newIdempotencyKey } from "../../../../api/idempotency-key";
import { formatPeriod, formatWithWeekday } from "../../../../kit/dates";
import { Calendar } from "../../calendar/calendar";
import { useSession } from "../../session";
import type { Slot, ThreadDetail } from "../shapes";
import { tidyLine } from "../../text/one-line";
import { CommentField } from "./comment-field";
import { Contact } from "./contact";
import { refusalWords } from "./words";

// The same answer again changes nothing, so that pressing once more is safe.
const UNCERTAIN = "届いたかどうかを確かめられませんでした。電波の良い所で、もう一度押してください。";

interface DecidedProps {
  thread: ThreadDetail;
  reload: () => void;
}

/** The date that was decided, whether this person takes part, and the way to say so after the decision. */
export function Decided({ thread, reload }: DecidedProps): JSX.Element {
  const slot = thread.slots.find(({ slot_id }) => slot_id === thread.final_slot_id);
  const late = thread.late_answer;
  const comes = late === null ? thread.taking_part === true : late.coming;
  return (
    <>
      <section class="say say-good" aria-labelledby="decided">
        <h2 id="decided" class="say-title">
          日程が決まりました
        </h2>
        {slot && <DecidedDate slot={slot} />}
        {late === null && thread.taking_part !== null && <p>{participationWords(thread.taking_part)}</p>}
        {late !== null && (
          <p role="status">
            日程が決まったあとに、「{lateWords(late.coming)}」と回答しています（{formatWithWeekday(late.answered_at)}）。
            {late.comment && `ひとこと：${late.comment}`}
          </p>
        )}
        <Contact thread={thread} />
      </section>
      {slot && comes && thread.calendar_url !== null && (
        <Calendar entry={{ title: thread.title, start: slot.start_at, end: slot.end_at, fileUrl: thread.calendar_url }} />
      )}
      {thread.can_answer_late && <LateForm thread={thread} comes={comes} reload={reload} />}
    </>
  );
}

function DecidedDate({ slot }: { slot: Slot }): JSX.Element {
  return (
    <p class="decided-date">
      <time dateTime={slot.start_at}>{formatPeriod(slot.start_at, slot.end_at)}</time>
      {slot.label}
    </p>
  );
}

/** Two buttons: whether the person comes on the decided date. The decision stays, and the office sees the answer as a late one. */
function LateForm({ thread, comes, reload }: DecidedProps & { comes: boolean }): JSX.Element {
  const { client } = useSession();
  const [comment, setComment] = useState(thread.late_answer?.comment ?? "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const answer = (coming: boolean) => async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await client.post("/api/liff/threads/{thread_id}/late", { coming, comment: tidyLine(comment).trim() || null }, { thread_id: thread.id }, { "idempotency-key": newIdempotencyKey() });
      reload();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="card" aria-labelledby="late">
      <h2 id="late">{comes || thread.late_answer !== null ? "ご都合が変わったとき" : "この日に参加できますか"}</h2>
      <p class="note">決まった日程は変わりません。お返事は「締切後の回答」として主催者に届きます。</p>
      <CommentField value={comment} onInput={setComment} />
      <div role="alert">{error !== null && <p class="say say-bad">{error instanceof Unreachable ? UNCERTAIN : refusalWords(error)}</p>}</div>
      <div class="actions">
        <button type="button" class={comes ? "button button-quiet" : "button"} aria-disabled={busy} onClick={answer(true)}>
          参加する
        </button>
        <button type="button" class="button button-quiet" aria-disabled={busy} onClick={answer(false)}>
          参加しない
        </button>
      </div>
    </section>
  );
}

function lateWords(coming: boolean): string {
  return coming ? "参加する" : "参加しない";
}

function participationWords(takingPart: boolean): string {
  return takingPart
    ? "あなたは参加の予定です。ご都合が変わったときは、下でお知らせください。"
    : "あなたは参加の予定に入っていません。参加できるときは、下でお知らせください。";
}
