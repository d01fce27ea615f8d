import type { ConnectionPhase } from "../../live/connection";
import { type Counts, peopleCount, STATUS_NAMES, STATUSES } from "../event";
import shared from "../EventDetail.module.css";
import classes from "./Answers.module.css";
import { useAnnouncement } from "./useAnnouncement";

const PHASES: Record<ConnectionPhase, string> = { connecting: "接続中", live: "自動更新中", lost: "再接続中" };

interface AnswersCardProps {
  counts: Counts;
  phase: ConnectionPhase;
  /** The past moment that is shown; null for now. */
  past: string | null;
}

export function AnswersCard({ counts, phase, past }: AnswersCardProps) {
  const answered = counts.attend + counts.absent;
  const total = answered + counts.pending;
  const text = STATUSES.map((status) => `${STATUS_NAMES[status]}${peopleCount(counts[status])}`).join("、");
  return (
    <section className={`${shared.card} ${classes.card}`} aria-labelledby="event-answers">
      <div className={shared.cardHead}>
        <h2 id="event-answers">出欠</h2>
        <p className={classes.ratio}>
          {total === 0 ? "対象の方がいません" : `${peopleCount(total)}のうち${peopleCount(answered)}が回答（${Math.floor((answered / total) * 100)}%）`}
        </p>
        <span className={classes.live} data-phase={past === null ? phase : "past"}>
          {past === null ? PHASES[phase] : `${past} 時点`}
        </span>
      </div>
      <dl className={classes.figures}>
        {STATUSES.map((status) => (
          <div key={status} data-status={status}>
            <dt>{STATUS_NAMES[status]}</dt>
            <dd>
              {counts[status].toLocaleString("ja-JP")}
              <small>人</small>
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.bar} role="img" aria-label={text}>
        {STATUSES.map((status) => (
          <span key={status} data-status={status} style={{ flexGrow: counts[status] }} hidden={counts[status] === 0} />
        ))}
      </div>
      <Announcement text={text} />
    </section>
  );
}

/** Announces new numbers to screen readers. */
function Announcement({ text }: { text: string }) {
  const announcement = useAnnouncement(text);
  return (
    <p className={shared.hidden} role="status">
      {announcement}
    </p>
  );
}
