import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useMemberLoad } from "../../load";
import { useSession } from "../../session";
import { type StatusRow, STATUS_NAMES } from "../shapes";
import { Fold, FoldState } from "../../../../kit/fold";
import { eventErrorText } from "./error-words";
import { HistoryFold } from "./history-fold";

interface FoldProps {
  eventId: number;
  /** When this person's own answer was recorded: a new one makes what is shown here old. */
  since: string | null;
}

export function StatusFold(props: FoldProps): JSX.Element {
  return (
    <Fold title="出欠状況">
      <Status {...props} />
    </Fold>
  );
}

function Status({ eventId, since }: FoldProps): JSX.Element {
  const { client } = useSession();
  const [state, reload] = useMemberLoad(() => client.get("/api/liff/events/{event_id}/status", { event_id: eventId }));
  useReloadOn(since, reload);
  if (state.kind !== "ready") return <FoldState state={state} retry={reload} textOf={eventErrorText} />;
  return (
    <>
      <Counts rows={state.value.items} />
      <ul class="people">
        {state.value.items.map((row) => (
          <li key={row.member_id}>
            <span>{row.name}</span>
            <span class={`person-status person-${row.status}`}>{STATUS_NAMES[row.status]}</span>
          </li>
        ))}
      </ul>
      <Fold title="出欠回答履歴">
        <HistoryFold eventId={eventId} since={since} />
      </Fold>
    </>
  );
}

/** Calls back when the value changes, not at first. */
export function useReloadOn(value: unknown, reload: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    reload();
  }, [value]);
}

const ORDER = ["attend", "absent", "pending"] as const;

function Counts({ rows }: { rows: StatusRow[] }): JSX.Element {
  return (
    <dl class="counts">
      {ORDER.map((status) => (
        <div key={status} class={`count count-${status}`}>
          <dt>{STATUS_NAMES[status]}</dt>
          <dd>
            {rows.filter((row) => row.status === status).length}
            <small>人</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
