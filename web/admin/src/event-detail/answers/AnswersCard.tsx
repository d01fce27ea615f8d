import type { ConnectionPhase } from "../../live/connection";
import { type Counts, inPeople, STATUS_WORDS, STATUSES } from "../event";
import shared from "../EventDetail.module.css";
import classes from "./Answers.module.css";
import { useSpoken } from "./useSpoken";

const PHASES: Record<ConnectionPhase, string> = { connecting: "接続中", live: "自動更新中", lost: "再接続中" };

interface AnswersCardProps {
  counts: Counts;
  phase: ConnectionPhase;
  /** A past moment is shown, which never changes; null: now. */
  past: string | null;
}

export function AnswersCard({ counts, phase, past }: AnswersCardProps) {
  const answered = counts.attend + counts.absent;
  const total = answered + counts.pending;
  const words = STATUSES.map((status) => `${STATUS_WORDS[status]}${inPeople(counts[status])}`).join("、");
  return (
    <section className={`${shared.card} ${classes.card}`} aria-labelledby="event-answers">
      <div className={shared.cardHead}>
        <h2 id="event-answers">出欠</h2>
        <p className={classes.ratio}>
          {total === 0 ? "対象の方がいません" : `${inPeople(total)}のうち${inPeople(answered)}が回答（${Math.floor((answered / total) * 100)}%）`}
        </p>
        <span className={classes.live} data-phase={past === null ? phase : "past"}>
          {past === null ? PHASES[phase] : `${past} 時点`}
        </span>
      </div>
      <dl className={classes.figures}>
        {STATUSES.map((status) => (
          <div key={status} data-status={status}>
            <dt>{STATUS_WORDS[status]}</dt>
            <dd>
              {counts[status].toLocaleString("ja-JP")}
              <small>人</small>
            </dd>
          </div>
        ))}
      </dl>
      <div className={classes.bar} role="img" aria-label={words}>
        {STATUSES.map((status) => (
          <span key={status} data-status={status} style={{ flexGrow: counts[status] }} hidden={counts[status] === 0} />
        ))}
      </div>
      <Spoken words={words} />
    </section>
  );
}

/** For who cannot see the numbers change. */
function Spoken({ words }: { words: string }) {
  const spoken = useSpoken(words);
  return (
    <p className={shared.hidden} role="status">
      {spoken}
    </p>
  );
}
