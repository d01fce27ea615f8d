import { Link } from "@tanstack/react-router";
import { formatWithWeekday } from "../../../kit/dates";
import { slotText } from "../threads/slot-times";
import { peopleCount, type ThreadLine, titleOf } from "../threads/thread";
import { type Tag, tagOf } from "./tag";
import classes from "./ThreadsList.module.css";

/** `fading`: these are still the answer to the question before. */
export function ThreadRows({ threads, fading }: { threads: ThreadLine[]; fading: boolean }) {
  return (
    <ul className={classes.panel} data-fading={fading || undefined} aria-label="日程調整">
      {threads.map((thread) => (
        <Row key={thread.id} thread={thread} />
      ))}
    </ul>
  );
}

function Row({ thread }: { thread: ThreadLine }) {
  return (
    <li className={classes.row} data-over={thread.status === "cancelled" || undefined}>
      <div className={classes.what}>
        <ThreadTag {...tagOf(thread)} />
        {/* The link's own box covers the row, so that the whole of it can be pressed and one thing is read out. */}
        <Link to="/threads/$threadId" params={{ threadId: thread.id }} className={classes.title}>
          {titleOf(thread)}
        </Link>
        <p className={classes.sentence}>{thread.status === "draft" ? "まだ、だれにも送っていません。" : thread.sentence}</p>
      </div>
      <dl className={classes.facts}>
        {thread.final_slot !== null && (
          <div data-decided>
            <dt>決定</dt>
            <dd className="figures">{slotText(thread.final_slot)}</dd>
          </div>
        )}
        <div>
          <dt>回答</dt>
          <dd className="figures">
            {peopleCount(thread.answered + thread.declined)} / {peopleCount(thread.invites_total)}
          </dd>
        </div>
        {thread.final_slot === null && thread.status !== "cancelled" && (
          <div>
            <dt>期限</dt>
            <dd>{thread.deadline_at === null ? "送ってから3日" : <time dateTime={thread.deadline_at}>{formatWithWeekday(thread.deadline_at)}</time>}</dd>
          </div>
        )}
      </dl>
    </li>
  );
}

export function ThreadTag({ text, tone }: Tag) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {text}
    </span>
  );
}
