import { Button } from "@mantine/core";
import { actorName } from "../../audit/names";
import { Moment } from "../../frame/Moment";
import { type Broadcast, peopleCount } from "../event";
import classes from "./Sending.module.css";
import { KIND_NAMES, summaryOf, type ProblemGroup, groupProblems } from "./texts";

const HEADINGS: Record<ProblemGroup["status"], string> = { fail: "送れませんでした", unknown: "届いたか分かりません", pending: "送信中" };

export function BroadcastLine({ broadcast, resend }: { broadcast: Broadcast; resend: () => void }) {
  const done = broadcast.recipients - broadcast.pending;
  return (
    <li>
      <div className={classes.line}>
        <strong>{KIND_NAMES[broadcast.kind]}</strong>
        <span>
          <Moment at={broadcast.created_at} />
        </span>
        <span>{actorName(broadcast.created_by)}</span>
        <span className={classes.result}>{summaryOf(broadcast)}</span>
      </div>
      {broadcast.pending > 0 && (
        <div
          className={classes.progress}
          role="progressbar"
          aria-label={`${KIND_NAMES[broadcast.kind]}の送信`}
          aria-valuemin={0}
          aria-valuemax={broadcast.recipients}
          aria-valuenow={done}
        >
          <div style={{ width: `${(done / broadcast.recipients) * 100}%` }} />
        </div>
      )}
      {broadcast.resends.map((resend) => (
        <p key={resend.broadcast_id} className={classes.resent}>
          今月の送信上限で送れなかった{peopleCount(resend.people)}は、
          <Moment at={resend.created_at} /> の送信に引き継ぎました。
        </p>
      ))}
      <Problems broadcast={broadcast} />
      {broadcast.resendable > 0 && (
        <Button variant="light" size="sm" mt="xs" onClick={resend}>
          送れなかった人に送る
        </Button>
      )}
    </li>
  );
}

function Problems({ broadcast }: { broadcast: Broadcast }) {
  const problems = broadcast.problems.filter((problem) => problem.status !== "pending");
  const missing = broadcast.problems_total - broadcast.pending;
  if (problems.length === 0) return null;
  return (
    <details className={classes.problems}>
      <summary>届いていない可能性がある方（{peopleCount(missing)}）</summary>
      {groupProblems(problems).map((group) => (
        <div key={group.status + group.text} className={classes.problem} data-status={group.status}>
          <strong>
            {HEADINGS[group.status]}（{peopleCount(group.names.length)}）
          </strong>
          <p>{group.text}</p>
          <p className={classes.names}>{group.names.join("、")}</p>
        </div>
      ))}
      {missing > problems.length && <p>このほかに{peopleCount(missing - problems.length)}います。</p>}
    </details>
  );
}
