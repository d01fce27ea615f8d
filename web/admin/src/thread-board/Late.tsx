import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { formatDateTime } from "../../../api/times";
import { answerOf, api } from "../api/client";
import { messageOf } from "../event-detail/actions/field-errors";
import { useIdempotencyKeys } from "../event-detail/actions/useIdempotencyKeys";
import { useSingleFlight } from "../event-detail/actions/useSingleFlight";
import { Notice } from "../frame/Notice";
import { refreshThread } from "../threads/queries";
import { type Board, type BoardPerson, peopleCount } from "../threads/thread";
import classes from "./Board.module.css";
import form from "./OnBehalf.module.css";
import { lateText, VIA_NAMES } from "./words";

const LONGEST_COMMENT = 200;

/** What people said after the decision. The decision stays as it is. */
export function LateCard({ board, open }: { board: Board; open: (key: string) => void }) {
  const late = board.people.filter((person) => person.late !== null);
  const coming = late.filter((person) => person.late?.coming).length;
  return (
    <section className={classes.card} aria-labelledby="thread-late">
      <div className={classes.cardHead}>
        <h2 id="thread-late">締切後の回答</h2>
        {late.length > 0 && (
          <p className={classes.ratio}>
            参加 {peopleCount(coming)}・不参加 {peopleCount(late.length - coming)}
          </p>
        )}
      </div>
      {late.length > 0 && (
        <ul>
          {late.map((person) => (
            <li key={person.invitee_key}>
              <Button variant="subtle" size="compact-sm" onClick={() => open(person.invitee_key)}>
                {person.name}
              </Button>
              {lateText(person)}
            </li>
          ))}
        </ul>
      )}
      <p className={classes.sentence}>
        {late.length === 0 && "まだありません。"}
        日程が決まったあとも、ご本人がリンクやLINEから答えられます。電話で聞いたときは、表の名前を押して記録してください。
      </p>
    </section>
  );
}

/** The office writes down what somebody said on the telephone after the decision. */
export function LateForm({ board, person }: { board: Board; person: BoardPerson }) {
  const { id } = board.thread;
  const [coming, setComing] = useState<string | null>(person.late === null ? null : person.late.coming ? "yes" : "no");
  const [comment, setComment] = useState(person.late?.comment ?? "");
  const [missing, setMissing] = useState(false);
  const keys = useIdempotencyKeys();
  const runOnce = useSingleFlight();
  const recording = useMutation({
    mutationFn: (body: { invitee_key: string; coming: boolean; comment?: string }) =>
      answerOf(api.POST("/api/threads/{thread_id}/late-answers", { params: { path: { thread_id: id } }, body, headers: { "Idempotency-Key": keys.keyFor(body) } })),
    onSettled: () => refreshThread(id),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(coming === null);
    if (coming === null) return;
    const words = comment.trim() === "" ? {} : { comment: comment.trim() };
    runOnce(() => recording.mutateAsync({ invitee_key: person.invitee_key, coming: coming === "yes", ...words }));
  };
  return (
    <form onSubmit={submit} noValidate className={form.form}>
      <p>決まった日程は変わりません。「締切後の回答」として残り、LINEかメールが届く方には、日程を一度だけ知らせます。</p>
      <SegmentedControl
        aria-label="決まった日に参加するか"
        value={coming ?? ""}
        onChange={setComing}
        data={[
          { value: "yes", label: "参加する" },
          { value: "no", label: "参加しない" },
        ]}
      />
      <TextInput label="コメント" maxLength={LONGEST_COMMENT} value={comment} onChange={(event) => setComment(event.currentTarget.value)} />
      {missing && (
        <Notice tone="danger" alert>
          「参加する」か「参加しない」を選んでください。
        </Notice>
      )}
      <Button type="submit" loading={recording.isPending}>
        締切後の回答を記録する
      </Button>
      {recording.isSuccess && (
        <div role="status">
          <Notice tone="success">締切後の回答として記録しました。</Notice>
        </div>
      )}
      {recording.isError && (
        <Notice tone="danger" alert>
          {messageOf(recording.error)}
        </Notice>
      )}
      {person.late !== null && (
        <p>
          いまの記録：{lateText(person)}（{formatDateTime(person.late.answered_at)}、{VIA_NAMES[person.late.via]}）
        </p>
      )}
    </form>
  );
}
