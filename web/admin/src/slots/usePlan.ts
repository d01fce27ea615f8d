import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { answerOf } from "../api/client";
import { bookingChanged } from "../booking/queries";
import { api, type Plan } from "../booking/wire";
import { IdempotencyKeys } from "../event-detail/actions/idempotency-keys";

/** A plan of slots: looked at first, then made exactly as it was looked at, once however often the button is pressed. */
export function usePlan(path: "/api/admin/slots/bulk" | "/api/admin/slots/copy") {
  const client = useQueryClient();
  const [keys] = useState(() => new IdempotencyKeys());
  const wanted = useRef<object>({});
  const previewing = useMutation({
    mutationFn: (body: object): Promise<Plan> => {
      wanted.current = body;
      return answerOf(api.POST(path, { body: { ...body, dryRun: true } }));
    },
  });
  const applying = useMutation({
    mutationFn: (): Promise<Plan> => {
      const body = { ...wanted.current, dryRun: false };
      return answerOf(api.POST(path, { body, headers: { "Idempotency-Key": keys.keyFor(body) } }));
    },
    onSuccess: () => bookingChanged(client),
  });
  return {
    plan: applying.data ?? previewing.data,
    previewing: previewing.isPending,
    applying: applying.isPending,
    error: previewing.error ?? applying.error,
    preview: (body: object) => previewing.mutate(body),
    apply: () => applying.mutate(),
    reset: () => {
      previewing.reset();
      applying.reset();
    },
  };
}
