import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { AuditSearch } from "./search";

export type AuditEntry = Answer<"/api/admin/audit-logs">["items"][number];

const PAGE_SIZE = 50;

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
