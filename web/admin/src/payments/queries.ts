import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { PaymentsSearch } from "./search";

export type PaymentPage = Answer<"/api/admin/payments">;
export type Payment = PaymentPage["items"][number];
export type Mismatch = PaymentPage["mismatches"][number];

const REFRESH_MS = 10_000;

/** It is polled while a refund is under way, which takes Stripe a moment. */
export function paymentsQuery(search: PaymentsSearch) {
  return infiniteQueryOptions({
    queryKey: ["booking", "payments", search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...search, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/payments", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.totals.refundsPending ?? 0) > 0 ? REFRESH_MS : false),
  });
}
