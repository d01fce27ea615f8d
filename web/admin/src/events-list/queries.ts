import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { EventsAsked } from "./search";

export type EventLine = Answer<"/api/admin/events">["items"][number];

/** Each row brings a picture, so a page is a screenful or two. */
const PAGE_SIZE = 20;

export function eventsQuery(asked: EventsAsked | null) {
  return infiniteQueryOptions({
    queryKey: ["events", "list", asked],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      if (asked === null) return { items: [], next_cursor: null };
      const query = { ...asked, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return await answerOf(api.GET("/api/admin/events", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_cursor,
    // While somebody types, the rows found so far stay instead of flickering.
    placeholderData: keepPreviousData,
  });
}

/** Whether there has ever been an event. */
export const anyEventQuery = queryOptions({
  queryKey: ["events", "any"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/events", { params: { query: { limit: 1 } }, signal }))).items.length > 0,
});
