import { QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError } from "../../../api/errors";
import { answerOf, api } from "./client";

const HOME_REFRESH_MS = 60_000;

/** A refusal stays a refusal; only silence and the server's own faults deserve another try. */
function retry(failures: number, error: unknown): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

export const queryClient = new QueryClient({
  // "always": the browser's idea of being offline is often wrong, and a paused query would load for ever.
  defaultOptions: { queries: { retry, staleTime: 10_000, networkMode: "always" }, mutations: { networkMode: "always" } },
});

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/overview", { signal })),
  refetchInterval: HOME_REFRESH_MS,
});
