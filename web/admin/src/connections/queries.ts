import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type Check = Answer<"/api/admin/connectivity">["history"][number];
export type CheckOutcome = Answer<"/api/admin/connectivity", "post">;
export type Results = CheckOutcome["results"];

export const checksQuery = queryOptions({
  queryKey: ["shops", "checks"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/connectivity", { signal })),
});

export function checkNow(): Promise<CheckOutcome> {
  return answerOf(api.POST("/api/admin/connectivity", { body: {} }));
}
