import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type Member = Answer<"/api/admin/members">["items"][number];
export type Sync = NonNullable<Answer<"/api/admin/members/last-sync">["last"]>;

const PAGE_SIZE = 50;

export const membersQuery = queryOptions({
  queryKey: ["members", "list"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/members", { signal }))).items,
});

export const lastSyncQuery = queryOptions({
  queryKey: ["members", "last-sync"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/members/last-sync", { signal }))).last,
});

export const unlinkedFriendsQuery = infiniteQueryOptions({
  queryKey: ["links", "unlinked-friends"],
  initialPageParam: null as string | null,
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: PAGE_SIZE, ...(pageParam === null ? {} : { cursor: pageParam }) };
    return answerOf(api.GET("/api/admin/links/unlinked-friends", { params: { query }, signal }));
  },
  getNextPageParam: (last) => last.next_cursor,
});

export const waitingPeopleQuery = queryOptions({
  queryKey: ["links", "waiting"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/links/waiting", { signal }))).items,
  refetchInterval: 30_000,
});

/** A link changes who can be reached, and every screen that counts or lists them. */
export async function linksChanged(client: QueryClient): Promise<void> {
  const touched = ["members", "links", "recipients", "overview", "audit-logs"];
  await Promise.all(touched.map((key) => client.invalidateQueries({ queryKey: [key] })));
}
