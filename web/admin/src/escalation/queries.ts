import { queryOptions } from "@tanstack/react-query";
import type { Answer, Body } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type Rule = Answer<"/api/admin/escalation-rules">["rules"][number];
export type RuleChange = Body<"/api/admin/escalation-rules/{rule_code}", "put">;
export type Channel = Rule["channels"][number];
export type DryRun = Answer<"/api/admin/escalation-rules/{rule_code}/dry-run", "post">;

export const rulesQuery = queryOptions({
  queryKey: ["shops", "rules"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/escalation-rules", { signal })),
});

export function saveRule(code: string, body: RuleChange): Promise<Rule> {
  return answerOf(api.PUT("/api/admin/escalation-rules/{rule_code}", { params: { path: { rule_code: code } }, body }));
}

/** What a rule would do now. The server sends and stores nothing, so it may be asked like any other question. */
export function dryRunQuery(code: string, shopId: number | null) {
  return queryOptions({
    queryKey: ["shops", "dry-run", code, shopId ?? 0],
    queryFn: ({ signal }) => answerOf(api.POST("/api/admin/escalation-rules/{rule_code}/dry-run", { params: { path: { rule_code: code } }, body: { shop_id: shopId }, signal })),
    staleTime: 0,
    gcTime: 0,
  });
}
