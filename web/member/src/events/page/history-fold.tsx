import type { JSX } from "preact";
import { formatDateTime } from "../../../../api/times";
import { useMemberLoad } from "../../load";
import { useSession } from "../../session";
import { STATUS_NAMES } from "../shapes";
import { FoldState } from "../../../../kit/fold";
import { eventErrorText } from "./error-words";
import { useReloadOn } from "./status-fold";

export function HistoryFold({ eventId, since }: { eventId: number; since: string | null }): JSX.Element {
  const { client } = useSession();
  const [state, reload] = useMemberLoad(() => client.get("/api/liff/events/{event_id}/history", { event_id: eventId }));
  useReloadOn(since, reload);
  if (state.kind !== "ready") return <FoldState state={state} retry={reload} textOf={eventErrorText} />;
  if (state.value.items.length === 0) return <p class="note">まだ、だれも回答していません。</p>;
  return (
    <ol class="history">
      {state.value.items.map((row, index) => (
        // The list only grows at the top, so a row is the same one counted from the end.
        <li key={state.value.items.length - index}>
          <time dateTime={row.responded_at}>{formatDateTime(row.responded_at)}</time>
          <span class="history-who">
            <span>{row.name}</span>
            <span class={`person-status person-${row.status}`}>{STATUS_NAMES[row.status]}</span>
          </span>
          {row.extra_text && <span class="history-memo">{row.extra_text}</span>}
        </li>
      ))}
    </ol>
  );
}
