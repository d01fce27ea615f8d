import { useMutation, useQueryClient } from "@tanstack/react-query";
import { newIdempotencyKey } from "../../../api/idempotency-key";
import { answerOf, api } from "../api/client";
import { decisionsChanged, type RecordKey } from "./queries";

export type Verdict = "same" | "different" | "open";

export interface Decision {
  first: RecordKey;
  second: RecordKey;
  verdict: Verdict;
  reason?: string;
}

/** Keeps what somebody decided about two records, and shows it on every page that is open. */
export function useDecision(onSuccess: (decision: Decision) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ first, second, verdict, reason }: Decision) =>
      answerOf(
        api.POST("/api/admin/people/decisions", {
          headers: { "Idempotency-Key": newIdempotencyKey() },
          body: { first: keyOf(first), second: keyOf(second), verdict, reason: reason?.trim() || null },
        }),
      ),
    onSuccess: (_answer, decision) => {
      void decisionsChanged(client);
      onSuccess(decision);
    },
  });
}

const keyOf = ({ kind, id }: RecordKey): RecordKey => ({ kind, id });
