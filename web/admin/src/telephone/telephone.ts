import { useMutation, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { queryClient } from "../api/queries";

export type Call = Answer<"/api/admin/telephone-list">["items"][number];
export type CallResult = "told" | "unreachable";

export const RESULTS: Record<CallResult, string> = { told: "伝えました", unreachable: "つながりませんでした" };

export function callsQuery(open: boolean) {
  return queryOptions({
    queryKey: ["telephone", open] as const,
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/telephone-list", { params: { query: { open: open ? 1 : 0 } }, signal })),
  });
}

/** Ticks a call off, or takes the tick back. The list and the board that shows the call are loaded again. */
export function useTick(after?: () => void) {
  return useMutation({
    mutationFn: ({ id, result }: { id: number; result: CallResult | null }) => {
      const params = { path: { call_id: id } };
      return answerOf(
        result === null
          ? api.DELETE("/api/admin/telephone-list/{call_id}/done", { params })
          : api.POST("/api/admin/telephone-list/{call_id}/done", { params, body: { result, note: "" } }),
      );
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ["telephone"] });
      after?.();
    },
  });
}

/** `admin:jimukyoku` → `jimukyoku`. */
export function whoCalled(done_by: string | null): string {
  return done_by?.replace(/^admin:/, "") ?? "";
}
