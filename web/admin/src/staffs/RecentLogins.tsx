import classes from "../booking/Booking.module.css";
import { Moment } from "../frame/Moment";
import type { StaffDetail } from "./queries";
import own from "./Staffs.module.css";

/** From where the person logged in last, so that a log-in by somebody else is noticed. */
export function RecentLogins({ sessions }: { sessions: StaffDetail["sessions"] }) {
  if (sessions.length === 0) return null;
  return (
    <details className={own.logins}>
      <summary>最近のログイン（{sessions.length}件）</summary>
      <ul className={own.plainList}>
        {sessions.map((session, index) => (
          <li key={index}>
            <Moment at={session.createdAt} />
            <span>{session.ipAddress ?? "アドレス不明"}</span>
            <span className={classes.soft}>{session.revokedAt === null ? "ログイン中" : "終了"}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
