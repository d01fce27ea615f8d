import { Button, Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { answerOf, api } from "../api/client";
import { messageOf } from "../event-detail/actions/field-errors";
import { useIdempotencyKeys } from "../event-detail/actions/useIdempotencyKeys";
import { useSingleFlight } from "../event-detail/actions/useSingleFlight";
import { Notice } from "../frame/Notice";
import { outcomeQuery, refreshThread } from "../threads/queries";
import { slotText } from "../threads/slot-times";
import { type Board, type BoardPerson, type Mark, MARK_NAMES, MARKS } from "../threads/thread";
import { type Marks, recordLabel, wireAnswer } from "./on-behalf";
import classes from "./OnBehalf.module.css";

const LONGEST_COMMENT = 200;

/** The office writes down what somebody said on the telephone. */
export function OnBehalfForm({ board, person, slotId }: { board: Board; person: BoardPerson; slotId: string | null }) {
  const list = useRef<HTMLUListElement>(null);
  // Somebody pressed the cell of a date: the answer to that date is entered next.
  useEffect(() => {
    const row = slotId === null ? null : list.current?.querySelector<HTMLElement>(`[data-slot="${CSS.escape(slotId)}"]`);
    row?.querySelector<HTMLInputElement>("input")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "center" });
  }, [slotId]);
  const slots = board.slots.filter(({ begun }) => !begun);
  const [marks, setMarks] = useState<Marks>(person.answers);
  const [declined, setDeclined] = useState(person.status === "declined");
  const [comment, setComment] = useState(person.comment ?? "");
  const [missing, setMissing] = useState(false);
  // The dates that nobody has asked about become ×. That is asked once.
  const [asking, setAsking] = useState(false);
  const unchosen = slots.filter(({ slot_id }) => marks[slot_id] === undefined);
  const keys = useIdempotencyKeys();
  const runOnce = useSingleFlight();
  const recording = useMutation({
    mutationFn: (body: NonNullable<ReturnType<typeof wireAnswer>>) =>
      answerOf(
        api.POST("/api/threads/{thread_id}/answers", {
          params: { path: { thread_id: board.thread.id } },
          body: { ...body, invitee_key: person.invitee_key },
          headers: { "Idempotency-Key": keys.keyFor(body) },
        }),
      ),
    onSettled: () => refreshThread(board.thread.id),
  });
  const body = wireAnswer(marks, slots.map(({ slot_id }) => slot_id), declined, comment);
  // The comment decides nothing, so that typing it asks for nothing.
  const judged = wireAnswer(marks, slots.map(({ slot_id }) => slot_id), declined, "");
  const outcome = useQuery({ ...outcomeQuery(board, person, judged), enabled: judged !== null && !recording.isPending && !recording.isSuccess });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(body === null);
    if (body !== null && !declined && unchosen.length > 0 && !asking) return setAsking(true);
    setAsking(false);
    if (body !== null) runOnce(() => recording.mutateAsync(body));
  };
  const choices: Mark[] = board.thread.maybe_allowed ? ["yes", "maybe", "no"] : ["yes", "no"];
  if (slots.length === 0) return <Notice tone="info">これからの候補日がありません。先に、候補日を追加してください。</Notice>;
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <ul ref={list} className={classes.slots} data-off={declined || undefined}>
        {slots.map((slot) => {
          const name = slotText(slot);
          return (
            <li key={slot.slot_id} data-slot={slot.slot_id} data-chosen={slot.slot_id === slotId || undefined}>
              <span className="figures">{name}</span>
              <SegmentedControl
                aria-label={name}
                size="sm"
                disabled={declined}
                value={marks[slot.slot_id] ?? ""}
                onChange={(value) => {
                  setMarks({ ...marks, [slot.slot_id]: value as Mark });
                  setAsking(false);
                }}
                data={choices.map((mark) => ({
                  value: mark,
                  label: (
                    <>
                      <span aria-hidden="true">{MARKS[mark]}</span>
                      <span className={classes.hidden}>{MARK_NAMES[mark]}</span>
                    </>
                  ),
                }))}
              />
            </li>
          );
        })}
      </ul>
      <Checkbox label="どの日も行けない" checked={declined} onChange={(event) => setDeclined(event.currentTarget.checked)} />
      <TextInput label="コメント" description="事務局だけに見えます。ほかの方には見えません。" maxLength={LONGEST_COMMENT} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
      {missing && (
        <Notice tone="danger" alert>
          ○か△を1つ以上選ぶか、「どの日も行けない」に印を付けてください。
        </Notice>
      )}
      {asking && (
        <Notice tone="warning" alert>
          まだ選んでいない候補が{unchosen.length}つあります（{unchosen.slice(0, 3).map((slot) => slotText(slot)).join("、")}
          {unchosen.length > 3 && "ほか"}）。このまま記録すると × になります。
        </Notice>
      )}
      <Button type="submit" loading={recording.isPending} disabled={outcome.isFetching} classNames={{ label: classes.label ?? "" }}>
        {/* Where the answer decides, the button goes on saying so while it asks about the dates without a mark. */}
        {asking && !outcome.data?.decides ? "×として記録する" : recordLabel(judged === null || recording.isSuccess ? undefined : outcome.data)}
      </Button>
      {recording.isSuccess && (
        <div role="status">
          <Notice tone="success">{recording.data.evaluation.finalized ? "記録しました。この回答で、日程が決まりました。" : "記録しました。"}</Notice>
        </div>
      )}
      {recording.isError && (
        <Notice tone="danger" alert>
          {messageOf(recording.error)}
        </Notice>
      )}
    </form>
  );
}
