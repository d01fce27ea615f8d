import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { CoverageState } from "./search";

export type Reminder = Answer<"/api/admin/coverage/reminders">["items"][number];
export type CoveragePeoplePerson = Answer<"/api/admin/coverage/people">["items"][number];
export type ReminderPreview = Answer<"/api/admin/coverage/reminders/preview", "post">;
export type ReminderQueued = Answer<"/api/admin/coverage/reminders", "post">;

const PAGE_SIZE = 100;
const REMINDERS_SHOWN = 3;
const SENDING_REFRESH_MS = 3_000;

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

/** Whom a reminder is for. */
export interface ReminderAudience {
  reservationTypeId: number;
  periodKey: string;
  departmentId: string | null;
}

/** Not below "booking", so that a reminder that was sent is not previewed again. */
export function reminderPreviewQuery(audience: ReminderAudience, text: string | null) {
  return queryOptions({
    queryKey: ["coverage-reminder", audience, text],
    queryFn: ({ signal }) => answerOf(api.POST("/api/admin/coverage/reminders/preview", { body: { ...audience, text }, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
}

/** It is polled only while reminders are being sent. */
export function remindersQuery(reservationTypeId: number) {
  return infiniteQueryOptions({
    queryKey: ["booking", "coverage", "reminders", reservationTypeId],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { reservationTypeId, limit: REMINDERS_SHOWN, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/coverage/reminders", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some(({ pending }) => pending > 0)) ? SENDING_REFRESH_MS : false),
  });
}

export function reminderQuery(reminderId: number) {
  return queryOptions({
    queryKey: ["booking", "coverage", "reminder", reminderId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/coverage/reminders/{reminder_id}", { params: { path: { reminder_id: reminderId } }, signal })),
  });
}
