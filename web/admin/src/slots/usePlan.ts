import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Body } from "../../../api/shapes";
import { bookingChanged } from "../booking/queries";
import type { Plan } from "../booking/shapes";
import { IdempotencyKeys } from "../event-detail/actions/idempotency-keys";

export type BulkBody = Body<"/api/admin/slots/bulk", "post">;
export type CopyBody = Body<"/api/admin/slots/copy", "post">;

/** Asks the server for a plan; `dryRun` in the body says whether it is only looked at. */
export type PlanRequest<Content> = (body: Content, headers: Record<string, string>) => Promise<Plan>;

/** A plan of slots: looked at first, then made exactly as it was looked at, once however often the button is pressed. */
export function usePlan<Content extends { dryRun: boolean }>(request: PlanRequest<Content>) {
  const client = useQueryClient();
  const [keys] = useState(() => new IdempotencyKeys());
  const previewed = useRef<Content>(null);
  const previewing = useMutation({
    mutationFn: (body: Content) => {
      previewed.current = body;
      return request({ ...body, dryRun: true }, {});
    },
  });
  const applying = useMutation({
    mutationFn: () => {
      if (previewed.current === null) throw new Error("nothing was previewed");
      const body = { ...previewed.current, dryRun: false };
      return request(body, { "Idempotency-Key": keys.keyFor(body) });
    },
    onSuccess: () => bookingChanged(client),
  });
  return {
    /** What was looked at, or what was made of it. */
    plan: applying.data ?? previewing.data,
    previewing: previewing.isPending,
    applying: applying.isPending,
    previewError: previewing.error,
    applyError: applying.error,
    preview: (body: Content, shown: () => void) => {
      applying.reset();
      previewing.mutate(body, { onSuccess: shown });
    },
    apply: (made: () => void) => applying.mutate(undefined, { onSuccess: made }),
    reset: () => {
      previewing.reset();
      applying.reset();
    },
  };
}
