import classes from "./EventRows.module.css";
import type { EventLine } from "./queries";

type Answers = Pick<EventLine, "targets_total" | "attend" | "absent" | "pending">;

/** How many have answered, as a bar for the eye and as numbers for everybody. */
export function AnswerBar({ event }: { event: Answers }) {
  const { targets_total, attend, absent, pending } = event;
  const share = (count: number) => ({ width: `${targets_total === 0 ? 0 : (count / targets_total) * 100}%` });
  const count = (value: number) => value.toLocaleString("ja-JP");
  return (
    <div className={classes.answers}>
      <div className={classes.bar} aria-hidden="true">
        <span data-kind="attend" style={share(attend)} />
        <span data-kind="absent" style={share(absent)} />
      </div>
      <p>
        <span data-kind="attend">出席 {count(attend)}</span>
        <span data-kind="absent">欠席 {count(absent)}</span>
        <span data-kind="pending">未回答 {count(pending)}</span>
      </p>
    </div>
  );
}
