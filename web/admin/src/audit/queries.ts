import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { AuditSearch } from "./search";

export type AuditEntry = Answer<"/api/admin/audit-logs">["items"][number];

const PAGE_SIZE = 50;

export const adminsQuery = queryOptions({
  queryKey: ["admins"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/admins", { signal }))).items,
});

export function auditQuery(search: AuditSearch) {
  return infiniteQueryOptions({
    queryKey: ["audit-logs", search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...search, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/audit-logs", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_cursor,
    // What was found before stays until the new answer is there, instead of a page that jumps.
    placeholderData: keepPreviousData,
  });
}
