import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { isStale } from "../../../api/errors";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { type Changes, merged } from "./membership";

export type Audience = Answer<"/api/admin/audiences">["items"][number];

export const audiencesQuery = queryOptions({
  queryKey: ["audiences", "list"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/audiences", { signal }))).items,
});

export async function membersOf(audienceId: number, signal?: AbortSignal): Promise<{ ids: number[]; version: string }> {
  const params = { path: { audience_id: audienceId } };
  const { items, version } = await answerOf(api.GET("/api/admin/audiences/{audience_id}/members", { params, ...(signal ? { signal } : {}) }));
  return { ids: items.map((member) => member.member_id), version };
}

/** Asked anew each time the editor opens and not again while it is open: nothing may move under somebody's ticks. */
export function membershipQuery(audienceId: number) {
  return queryOptions({
    queryKey: ["audience-membership", audienceId],
    queryFn: async ({ signal }) => (await membersOf(audienceId, signal)).ids,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

const MOST_TRIES = 5;

/** Applies these changes to what the group is now, and once more if somebody else is quicker. */
export async function saveMembers(audienceId: number, changes: Changes): Promise<number[]> {
  for (let tries = 1; ; tries++) {
    const { ids, version } = await membersOf(audienceId);
    const member_ids = merged(ids, changes);
    const params = { path: { audience_id: audienceId } };
    try {
      await answerOf(api.PUT("/api/admin/audiences/{audience_id}/members", { params, body: { member_ids, version } }));
      return member_ids;
    } catch (error) {
      if (!isStale(error) || tries === MOST_TRIES) throw error;
    }
  }
}

/** Whoever shows groups, counts them or invites by them asks again. */
export async function audiencesChanged(client: QueryClient): Promise<void> {
  await Promise.all(["audiences", "recipients", "audit-logs"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
