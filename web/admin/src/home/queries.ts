import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { CONFIG } from "../config";

export type Home = Answer<"/api/admin/home">;

export type Overview = Answer<"/api/admin/overview">;
export type Quota = Answer<"/api/admin/line/quota">;

export const HAS_EVENTS = CONFIG.features.includes("events");
export const HAS_BOOKING = CONFIG.features.includes("booking");
export const HAS_THREADS = CONFIG.features.includes("scheduling");
const REFRESH_MS = 60_000;
const QUOTA_STALE_MS = 5 * 60_000;

/** Under "overview", so that whoever changes something the home screen shows refreshes all of it. */
export const homeQuery = queryOptions({
  queryKey: ["overview", "home"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/home", { signal })),
  refetchInterval: REFRESH_MS,
});

/** LINE is asked for it, which may take a while or fail; nothing else waits for the answer. */
export const quotaQuery = queryOptions({
  queryKey: ["line", "quota"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/line/quota", { signal })),
  staleTime: QUOTA_STALE_MS,
  retry: false,
});

export type PromotedCall = Answer<"/api/admin/telephone-list">["items"][number];

/** Those who got a seat from a waiting list and whom no notice reaches. */
export const promotedCallsQuery = queryOptions({
  queryKey: ["overview", "telephone", "promoted"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/telephone-list", { params: { query: { kind: "promoted", open: 1 } }, signal }))).items,
  refetchInterval: REFRESH_MS,
});

const MOST_THREADS = 100;

/** The threads that people can answer now; the home screen picks those that wait for the office. */
export const openThreadsQuery = queryOptions({
  queryKey: ["overview", "threads"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/threads", { params: { query: { status: "active", limit: MOST_THREADS } }, signal })),
  refetchInterval: REFRESH_MS,
});
