import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { NoticeKind, NoticesSearch } from "./search";

export type NoticeRow = Answer<"/api/admin/notifications">["items"][number];
export type NoticeCell = NoticeRow["cells"]["CONFIRMATION"];
export type NoticeSummary = Answer<"/api/admin/notifications/summary">;
export type Cause = NoticeSummary["causes"][number];

const PAGE_SIZE = 50;
// The command that sends runs once a minute, so that a notice that was queued changes its state without a reload.
const REFRESH_MS = 30_000;

/** Under "booking", so that a change of a reservation, a resend and a pause read it again. */
export const summaryQuery = queryOptions({
  queryKey: ["booking", "notices", "summary"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/notifications/summary", { signal })),
  refetchInterval: REFRESH_MS,
});

export function noticesQuery({ q, ...search }: NoticesSearch) {
  return infiniteQueryOptions({
    queryKey: ["booking", "notices", "list", search, q],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...search, limit: PAGE_SIZE, ...(q ? { query: q } : {}), ...(pageParam === null ? {} : { page: pageParam }) };
      return answerOf(api.GET("/api/admin/notifications", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_cursor,
    // While somebody types, the rows found so far stay instead of flickering.
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

/** One notice that somebody wants to send again. */
export interface Resendable {
  row: NoticeRow;
  kind: NoticeKind;
  cell: NoticeCell & { job_id: number };
}

/** The notices of these rows that can be sent again. `safe`: only those that cannot arrive twice. */
export function resendableOf(rows: readonly NoticeRow[], kind: NoticeKind | undefined, { safe }: { safe: boolean }): Resendable[] {
  return rows.flatMap((row) =>
    (Object.entries(row.cells) as [NoticeKind, NoticeCell][])
      .filter(([name, cell]) => (kind === undefined || name === kind) && cell.resendable && cell.job_id !== null && !(safe && cell.may_arrive_twice))
      .map(([name, cell]) => ({ row, kind: name, cell: cell as Resendable["cell"] })),
  );
}
