import type { MemberPart } from "../part";
import type { MemberRequest, RequestState } from "../requests/request";
import type { Session } from "../session";
import type { EventSendState } from "./answers/event-answers";
import { UnsentEvents } from "./answers/unsent-events";
import { Detail } from "./page/detail";
import { type EventRow, STATUS_NAMES } from "./shapes";

export const EVENTS: MemberPart = {
  name: "events",
  routes: [{ path: "/events/:id", screen: Detail }],
  requests: ({ client, events, answers }: Session) => ({
    known: () => events.rows?.map((row) => requestOf(row, answers.sendState(row.id))) ?? null,
    load: async () => {
      events.rows = (await client.get("/api/liff/events")).items;
    },
    subscribe: (listener) => answers.subscribe(listener),
  }),
  Unsent: UnsentEvents,
};

export function requestOf(row: EventRow, sendState: EventSendState): MemberRequest {
  const { id, title, held_at } = row;
  return { kind: "イベント", id, title, date: held_at, link: `/events/${id}`, state: stateOf(row, sendState) };
}

const TONES = { attend: "yes", absent: "no", pending: "waiting" } as const;

/** An answer that has not reached the server is not shown as given. */
function stateOf({ cancelled, over, my_status }: EventRow, { kind }: EventSendState): RequestState {
  const unanswered = my_status === "pending" && !cancelled;
  if (cancelled) return { label: "中止", tone: "cancelled", unanswered, over };
  if (kind === "waiting" || kind === "sending") return { label: "送信待ち", tone: "unsent", unanswered, over };
  return { label: STATUS_NAMES[my_status], tone: TONES[my_status], unanswered, over };
}
