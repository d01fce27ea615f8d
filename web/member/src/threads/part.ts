import { lazyScreen } from "../lazy-screen";
import type { MemberPart } from "../part";
import type { MemberRequest, RequestState } from "../requests/request";
import type { Session } from "../session";
import type { ThreadSendState } from "./answers/thread-answers";
import { UnsentThreads } from "./answers/unsent-threads";
import type { ThreadRow } from "./shapes";

// Most members open an event; so only who is asked for a date loads this page.
const ThreadScreen = lazyScreen(async () => (await import("./page/thread-screen")).ThreadScreen);

export const THREADS: MemberPart = {
  name: "threads",
  routes: [{ path: "/threads/:id", screen: ThreadScreen }],
  requests: ({ client, threads, threadAnswers }: Session) => ({
    known: () => threads.rows?.map((row) => requestOf(row, threadAnswers.sendState(row.id), Date.now())) ?? null,
    load: async () => {
      threads.rows = (await client.get("/api/liff/threads")).threads;
    },
    subscribe: (listener) => threadAnswers.subscribe(listener),
  }),
  Unsent: UnsentThreads,
};

/** Until the date is decided, the day that matters to a person is the last one to answer. */
export function requestOf(row: ThreadRow, sendState: ThreadSendState, now: number): MemberRequest {
  const { id, title, deadline_at, final_start_at } = row;
  const date = final_start_at ?? deadline_at;
  const dateLabel = final_start_at === null ? "回答期限" : "決定";
  return { kind: "日程調整", id, title, date, dateLabel, link: `/threads/${id}`, state: stateOf(row, sendState, Date.parse(date) < now) };
}

/** An answer that has not reached the server is not shown as given. */
function stateOf(row: ThreadRow, { kind }: ThreadSendState, past: boolean): RequestState {
  if (row.status === "cancelled") return { label: "中止", tone: "cancelled", unanswered: false, over: past };
  if (row.status === "finalized") {
    const words = row.taking_part ? ({ label: "参加", tone: "yes" } as const) : ({ label: "決定", tone: "no" } as const);
    return { ...words, unanswered: false, over: past };
  }
  const unanswered = row.can_answer && !row.answered;
  const over = !row.can_answer;
  if (kind === "waiting" || kind === "sending") return { label: "送信待ち", tone: "unsent", unanswered, over };
  if (row.answered) return { label: "回答済み", tone: "yes", unanswered, over };
  return { label: row.can_answer ? "未回答" : "受付終了", tone: "waiting", unanswered, over };
}
