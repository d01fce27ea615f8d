import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type OwnAccount = Answer<"/api/admin/account">;
export type OpenSession = OwnAccount["sessions"][number];
export type ManagedAccount = Answer<"/api/admin/accounts">["items"][number];

export const accountQuery = queryOptions({
  queryKey: ["accounts", "own"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/account", { signal })),
});

export const accountsQuery = queryOptions({
  queryKey: ["accounts", "all"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/accounts", { signal }))).items,
});

export async function accountsChanged(client: QueryClient): Promise<void> {
  await Promise.all(["accounts", "admins", "audit-logs"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

export function endSession(adminId: number, sessionId: string): Promise<unknown> {
  const path = { admin_id: adminId, session_id: sessionId };
  return answerOf(api.DELETE("/api/admin/accounts/{admin_id}/sessions/{session_id}", { params: { path } }));
}

export function endAllSessions(adminId: number): Promise<unknown> {
  return answerOf(api.POST("/api/admin/accounts/{admin_id}/revocation", { params: { path: { admin_id: adminId } } }));
}
