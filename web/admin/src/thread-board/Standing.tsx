import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useAnnouncement } from "../event-detail/answers/useAnnouncement";
import answers from "../event-detail/answers/Answers.module.css";
import type { ConnectionPhase } from "../live/connection";
import { tagOf } from "../threads-list/tag";
import { ThreadTag } from "../threads-list/ThreadRows";
import { slotText } from "../threads/slot-times";
import { type Board, namesInShort, peopleCount } from "../threads/thread";
import classes from "./Board.module.css";
import { needsCall, waitingCount } from "./words";

const PHASES: Record<ConnectionPhase, string> = { connecting: "接続中", live: "自動更新中", lost: "再接続中" };

interface StandingProps {
  board: Board;
  phase: ConnectionPhase;
  /** The past moment that is shown; null for now. */
  past: string | null;
  call: () => void;
}

/** Where the thread stands, in a sentence, and what the office can do about it. */
export function Standing({ board, phase, past, call }: StandingProps) {
  const { evaluation, people, slots, thread } = board;
  const answered = people.filter(({ responded_at }) => responded_at !== null).length;
  const final = slots.find(({ slot_id }) => slot_id === evaluation.final_slot_id);
  const callees = people.filter(needsCall);
  const changing = people.filter(({ can_change }) => can_change);
  const sending = waitingCount(people);
  const announcement = useAnnouncement(evaluation.sentence);
  return (
    <section className={classes.card} aria-labelledby="thread-standing">
      <div className={classes.cardHead}>
        <h2 id="thread-standing">
          <ThreadTag {...tagOf({ status: thread.status, state: evaluation.state })} />
          いまの状況
        </h2>
        <p className={classes.ratio}>
          {peopleCount(people.length)}のうち{peopleCount(answered)}が回答
        </p>
        <span className={answers.live} data-phase={past === null ? phase : "past"}>
          {past === null ? PHASES[phase] : `${past} 時点`}
        </span>
      </div>
      {final && thread.status === "finalized" && (
        <p className={classes.final}>
          <span className="figures">{slotText(final)}</span>
          <small>{peopleCount(evaluation.final_participants.length)}が参加</small>
        </p>
      )}
      <p className={classes.sentence}>{thread.status === "draft" ? "まだ、だれにも送っていません。" : evaluation.sentence}</p>
      <div className={classes.bar} aria-hidden="true">
        <span style={{ width: `${people.length === 0 ? 0 : (answered / people.length) * 100}%` }} />
      </div>
      {sending > 0 && past === null && <p className={classes.changing}>送信しています：あと{peopleCount(sending)}</p>}
      {thread.status === "active" && changing.length > 0 && past === null && (
        <p className={classes.changing}>
          結果を左右できる方：{namesInShort(changing)}
          <Button variant="subtle" size="compact-sm" onClick={call}>
            督促する
          </Button>
        </p>
      )}
      {callees.length > 0 && past === null && (
        <p className={classes.callees}>
          <strong>電話してください：</strong>
          {namesInShort(callees, 8)}（LINEでもメールでも届いていません）{" "}
          <Link to="/telephone">電話する方の一覧</Link>
        </p>
      )}
      <p className={classes.hidden} role="status">
        {announcement}
      </p>
    </section>
  );
}
