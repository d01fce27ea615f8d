import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Body } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { queryClient } from "../api/queries";
import type { ThreadLine } from "./thread";

const PAGE = 20;
const HISTORY_PAGE = 50;

export interface ThreadsAsked {
  status?: ThreadLine["status"];
  query?: string;
}

export function threadsQuery(asked: ThreadsAsked) {
  return infiniteQueryOptions({
    queryKey: ["threads", "list", asked],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...asked, limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/threads", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_cursor,
    // While somebody types, the rows found so far stay instead of flickering.
    placeholderData: keepPreviousData,
  });
}

/** The names of the public holidays of a year by day. They never change while the page is open. */
export function holidaysQuery(year: string) {
  return queryOptions({
    queryKey: ["holidays", year] as const,
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/holidays", { params: { query: { year: Number(year) } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const threadKey = (id: string) => ["thread", id] as const;
export const boardKey = (id: string) => [...threadKey(id), "board", null] as const;

/** The board: now, or as of a past moment. What is past never changes again. */
export function boardQuery(id: string, asOf: string | null) {
  const query = asOf === null ? {} : { as_of: asOf };
  return queryOptions({
    queryKey: [...threadKey(id), "board", asOf] as const,
    queryFn: ({ signal }) => answerOf(api.GET("/api/threads/{thread_id}", { params: { path: { thread_id: id }, query }, signal })),
  });
}

export function historyQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...threadKey(id), "history"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: HISTORY_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/threads/{thread_id}/history", { params: { path: { thread_id: id }, query }, signal }));
    },
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}

type WirePreview = Body<"/api/threads/{thread_id}/preview", "post">;
/** What is left out has the server's default. */
export type PreviewOrder = Pick<WirePreview, "action"> & Partial<WirePreview>;

/** Its key is not below the thread's, so that a message that was sent is not previewed again. */
export function messagesQuery(id: string, order: PreviewOrder) {
  return queryOptions({
    queryKey: ["thread-messages", id, order],
    queryFn: ({ signal }) => answerOf(api.POST("/api/threads/{thread_id}/preview", { params: { path: { thread_id: id } }, body: order as WirePreview, signal })),
    // The form loads the preview, and the confirmation right after it shows the same one.
    gcTime: 10_000,
  });
}

type OnBehalf = Body<"/api/threads/{thread_id}/answers", "post">;

/** Whether recording this answer would decide the date. It depends on all other answers, so it belongs to one edition of the board. */
export function outcomeQuery(board: { thread: { id: string; revision: number } }, person: { invitee_key: string }, answer: Omit<OnBehalf, "invitee_key"> | null) {
  const { id, revision } = board.thread;
  const body = { status: "declined" as const, ...answer, invitee_key: person.invitee_key };
  return queryOptions({
    queryKey: ["thread-outcome", id, revision, body],
    queryFn: ({ signal }) => answerOf(api.POST("/api/threads/{thread_id}/answers/preview", { params: { path: { thread_id: id } }, body, signal })),
    retry: false,
    gcTime: 10_000,
  });
}

/** What a thread would be, with its rule in words. Nothing is stored by asking. */
export function creationQuery(body: Body<"/api/threads", "post">) {
  return queryOptions({
    queryKey: ["thread-creation", body],
    queryFn: ({ signal }) => answerOf(api.POST("/api/threads/preview", { body, signal })),
    retry: false,
    gcTime: 60_000,
  });
}

/** After an action, loads this page and every list of threads again. */
export function refreshThread(id: string): void {
  queryClient.removeQueries({ queryKey: ["thread-messages", id] });
  void queryClient.invalidateQueries({ queryKey: threadKey(id) });
  refreshThreads();
}

export function refreshThreads(): void {
  void queryClient.invalidateQueries({ queryKey: ["threads"] });
  void queryClient.invalidateQueries({ queryKey: ["overview"] });
}
