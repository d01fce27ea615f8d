import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Body } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { queryClient } from "../api/queries";
import type { Broadcast, Person } from "./event";

const HISTORY_PAGE = 50;
const SENDING_REFRESH_MS = 3_000;

export const eventKey = (id: number) => ["event", id] as const;
export const nowKey = (id: number) => [...eventKey(id), "people", null] as const;

/** The event and everybody's answer: now, or as of a past moment. What is past never changes again. */
export function eventQuery(id: number, asOf: string | null) {
  const query = asOf === null ? {} : { as_of: asOf };
  return queryOptions({
    queryKey: [...eventKey(id), "people", asOf] as const,
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/admin/events/{event_id}", { params: { path: { event_id: id }, query }, signal })),
  });
}

/** It is polled only while messages are being sent. */
export function deliveriesQuery(id: number) {
  return queryOptions({
    queryKey: [...eventKey(id), "deliveries"] as const,
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/admin/events/{event_id}/deliveries", { params: { path: { event_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.data && isSending(state.data.items) ? SENDING_REFRESH_MS : false),
  });
}

export function isSending(broadcasts: readonly Pick<Broadcast, "pending">[]): boolean {
  return broadcasts.some((broadcast) => broadcast.pending > 0);
}

/** One person's answers. The newest answer is a part of the key, so that a live one brings the list up to date. */
export function historyQuery(id: number, person: Person) {
  const path = { event_id: id };
  return infiniteQueryOptions({
    queryKey: [...eventKey(id), "history", person.member_id, person.responded_at, person.status, person.extra_text],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { member_id: person.member_id, limit: HISTORY_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/events/{event_id}/history", { params: { path, query }, signal }));
    },
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
  });
}

/** Everybody whom an invitation can reach, whether already invited or not. */
export const candidatesQuery = queryOptions({
  queryKey: ["recipients", "candidates", "all"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/recipients/candidates", { params: { query: { all: 1 } }, signal })),
});

export type PreviewRequest = Body<"/api/admin/events/{event_id}/preview", "post">;

/** The recipients and texts of a message. Its key is not below the event's, so that a sent message is not previewed again. */
export function messagePreviewQuery(id: number, request: PreviewRequest) {
  return queryOptions({
    queryKey: ["message-preview", id, request],
    queryFn: () => answerOf(api.POST("/api/admin/events/{event_id}/preview", { params: { path: { event_id: id } }, body: request })),
    // The form loads the preview, and the confirmation right after it shows the same one.
    gcTime: 10_000,
  });
}

/** After an action, loads this page and every list of events again. */
export function refreshEvent(id: number): void {
  queryClient.removeQueries({ queryKey: ["message-preview", id] });
  void queryClient.invalidateQueries({ queryKey: eventKey(id) });
  void queryClient.invalidateQueries({ queryKey: ["events"] });
  void queryClient.invalidateQueries({ queryKey: ["overview"] });
}
