import { useQuery } from "@tanstack/react-query";
import { actorName } from "../audit/names";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import { systemName } from "../shops/systems";
import { ResultList } from "./CheckNow";
import classes from "./Connections.module.css";
import { type Check, checksQuery } from "./queries";
import { HEALTH, inOrder } from "./words";

/** The newest thirty checks. A press opens what each system said. */
export function CheckHistory() {
  const checks = useQuery(checksQuery);
  return (
    <section className={booking.card} aria-labelledby="check-history">
      <h2 id="check-history">これまでの確認</h2>
      {checks.isError && !checks.data && <Failure error={checks.error} retry={() => void checks.refetch()} />}
      {checks.data?.history.length === 0 && <p className={booking.emptyLine}>まだ一度も確かめていません。「すべて確かめる」を押すと、結果がここに残ります。</p>}
      {checks.data?.history.map((check) => (
        <details key={check.id} className={classes.check}>
          <summary>
            <Moment at={check.checked_at} /> <Badge tone={HEALTH[check.code].tone}>{HEALTH[check.code].name}</Badge> <small>{summaryOf(check)}</small>
          </summary>
          <ResultList results={check.results} />
        </details>
      ))}
    </section>
  );
}

/** Which systems failed, and who asked. */
function summaryOf({ results, asked_by }: Check): string {
  const failed = inOrder(results)
    .filter(([, { status }]) => status === "fail")
    .map(([system]) => systemName(system));
  const who = asked_by === "system" || asked_by === "command" ? "サーバーで実行" : actorName(asked_by);
  return failed.length === 0 ? who : `${failed.join("・")}（${who}）`;
}
