import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type Audience = Answer<"/api/admin/audiences">["items"][number];

export const audiencesQuery = queryOptions({
  queryKey: ["audiences", "list"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/audiences", { signal }))).items,
});

export async function membersOf(audienceId: number, signal?: AbortSignal): Promise<number[]> {
  const params = { path: { audience_id: audienceId } };
  const { items } = await answerOf(api.GET("/api/admin/audiences/{audience_id}/members", { params, ...(signal ? { signal } : {}) }));
  return items.map((member) => member.member_id);
}

/** Asked anew each time the editor opens and not again while it is open: nothing may move under somebody's ticks. */
export function membershipQuery(audienceId: number) {
  return queryOptions({
    queryKey: ["audience-membership", audienceId],
    queryFn: ({ signal }) => membersOf(audienceId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** Whoever shows groups, counts them or invites by them asks again. */
export async function audiencesChanged(client: QueryClient): Promise<void> {
  await Promise.all(["audiences", "recipients", "audit-logs"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
