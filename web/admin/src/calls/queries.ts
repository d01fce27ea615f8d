import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { CallsSearch } from "./search";

export type Call = Answer<"/api/admin/calls">["calls"][number];

// A request that makes more calls than this is shown with its first ones.
const MOST_OF_ONE_REQUEST = 100;

export function callsQuery({ request, shop_id, system, status }: CallsSearch) {
  const search = { ...(request ? { request_id: request } : {}), ...(shop_id ? { shop_id } : {}), ...(system ? { system } : {}), ...(status ? { status } : {}) };
  return infiniteQueryOptions({
    queryKey: ["shops", "calls", search],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...search, ...(pageParam === null ? {} : { before: pageParam }) };
      return answerOf(api.GET("/api/admin/calls", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_before,
    placeholderData: keepPreviousData,
  });
}

export function callQuery(id: number) {
  return queryOptions({
    queryKey: ["shops", "call", id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/calls/{call_id}", { params: { path: { call_id: id } }, signal })),
  });
}

export function requestQuery(requestId: string) {
  return queryOptions({
    queryKey: ["shops", "calls", "request", requestId],
    queryFn: async ({ signal }) => {
      const query = { request_id: requestId, limit: MOST_OF_ONE_REQUEST };
      const { calls } = await answerOf(api.GET("/api/admin/calls", { params: { query }, signal }));
      return [...calls].reverse();
    },
  });
}
