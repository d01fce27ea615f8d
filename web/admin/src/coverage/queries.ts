import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client";
import type { CoverageState } from "./search";

const PAGE_SIZE = 100;

export function coverageQuery(reservationTypeId: number, periodKey: string) {
  return queryOptions({
    queryKey: ["booking", "coverage", reservationTypeId, periodKey],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/coverage", { params: { query: { reservationTypeId, periodKey } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export interface CoverageWanted {
  reservationTypeId: number;
  periodKey: string;
  state: CoverageState;
  departmentId?: string;
}

export function coveragePeopleQuery(wanted: CoverageWanted) {
  return infiniteQueryOptions({
    queryKey: ["booking", "coverage", "people", wanted],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...wanted, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/coverage/people", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
  });
}
