import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { StaffsSearch } from "./search";

export type StaffDetail = Answer<"/api/admin/staffs/{staff_uid}">;

const PAGE_SIZE = 100;

export function staffsQuery(search: StaffsSearch) {
  return infiniteQueryOptions({
    queryKey: ["booking", "staffs", search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...search, limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/staffs", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.nextCursor,
    // While somebody types, the people found so far stay instead of flickering.
    placeholderData: keepPreviousData,
  });
}

export function staffQuery(staffUid: string) {
  return queryOptions({
    queryKey: ["booking", "staff", staffUid],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/staffs/{staff_uid}", { params: { path: { staff_uid: staffUid } }, signal })),
  });
}

export function reservationsOfQuery(staffUid: string) {
  return queryOptions({
    queryKey: ["booking", "reservations", "of", staffUid],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/api/admin/reservations", { params: { query: { staffUid, limit: 200 } }, signal })),
  });
}

export const registrationCodeQuery = queryOptions({
  queryKey: ["booking", "registration-code"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/staffs/registration-code", { signal })),
});
