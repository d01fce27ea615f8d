import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Changes } from "../audit/Changes";
import { actionName, actorName, type Names } from "../audit/names";
import { auditQuery } from "../audit/queries";
import classes from "../booking/Booking.module.css";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import own from "./Staffs.module.css";

const SHOWN = 10;
// The entries about staff name no members and no groups.
const NO_NAMES: Names = { member: () => undefined, audience: () => undefined };

/** What was done to this person's record, newest first. */
export function HistoryCard({ staffUid }: { staffUid: string }) {
  const subject = `staff:${staffUid}`;
  const { data, error, refetch } = useInfiniteQuery(auditQuery({ subject }));
  const entries = data?.pages[0]?.items ?? [];
  return (
    <section className={classes.card} aria-labelledby="staff-history">
      <h2 id="staff-history">履歴</h2>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && entries.length === 0 && <p className={classes.emptyLine}>まだ記録がありません。</p>}
      <ol className={own.history}>
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.id}>
            <div className={own.historyHead}>
              <strong>{actionName(entry.action)}</strong>
              <span className={classes.soft}>
                <Moment at={entry.at} /> {entry.actor === subject ? "本人" : actorName(entry.actor)}
              </span>
            </div>
            <Changes entry={entry} names={NO_NAMES} />
          </li>
        ))}
      </ol>
      {entries.length > SHOWN && (
        <Link to="/audit" search={{ subject }}>
          すべての履歴を見る
        </Link>
      )}
    </section>
  );
}
