import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import { timelineQuery } from "./queries";
import classes from "./Timeline.module.css";
import { isLong, toneOf } from "./tones";

/** Everything that happened to a reservation, in the order in which it happened. */
export function Timeline({ reservationId }: { reservationId: number }) {
  const { data, error, refetch } = useQuery(timelineQuery(reservationId));
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={160} role="status" aria-label="読み込んでいます" />;
  return (
    <ol className={classes.items}>
      {data.items.map((item, index) => (
        // Steps are only added, so that each keeps its place.
        <li key={index}>
          <span className={classes.mark} data-tone={toneOf(item.kind)} aria-hidden="true" />
          <div>
            <p className={classes.text}>{item.text}</p>
            <div className={classes.when}>
              <Moment at={item.at} />
              {item.actor && <span>{item.actor}</span>}
            </div>
            {item.detail && !isLong(item.detail) && <p className={classes.detail}>{item.detail}</p>}
            {item.detail && isLong(item.detail) && (
              <details className={classes.fold}>
                <summary>くわしい内容</summary>
                <p className={classes.detail}>{item.detail}</p>
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
