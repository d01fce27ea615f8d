import { Link } from "@tanstack/react-router";
import { Badge } from "../booking/Badge";
import { Moment } from "../frame/Moment";
import classes from "./Calls.module.css";
import type { Call } from "./queries";
import type { CallsSearch } from "./search";
import { durationText, resultOf, targetName } from "./words";

/** The calls of one request over all systems, in the order in which they were made. Each leads to the call among those of `search`. */
export function CallList({ calls, search, current }: { calls: readonly Call[]; search: CallsSearch; current?: number }) {
  return (
    <ol className={classes.list}>
      {calls.map((call) => {
        const { name, tone } = resultOf(call);
        return (
          <li key={call.id}>
            <Link to="/connections/calls" search={{ ...search, call: call.id }} aria-current={call.id === current ? "true" : undefined} data-current={call.id === current || undefined}>
              <span>
                <strong>{targetName(call.target)}</strong> {call.operation}
                {call.attempt > 1 && `（${call.attempt}回目）`}
              </span>
              <Badge tone={tone}>{name}</Badge>
              <small>
                <Moment at={call.created_at} />・{durationText(call.latency_ms)}
              </small>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
