import { answerOf, api } from "../../api/client";
import { Confirmation } from "../actions/Confirmation";
import type { DialogProps } from "../actions/dialog";
import { useIdempotencyKeys } from "../actions/useIdempotencyKeys";
import { type Broadcast, peopleCount } from "../event";
import { KIND_NAMES } from "./texts";

/** Sends what LINE's monthly limit kept back. Those messages certainly did not go out, so nobody gets one twice. */
export function ResendDialog({ event, broadcast, done, close }: DialogProps & { broadcast: Broadcast }) {
  const keys = useIdempotencyKeys();
  const { broadcast_id } = broadcast;
  const send = (confirm_over_quota: boolean) => {
    const body = { broadcast_id, confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/resend", { params, body, headers }));
  };
  return (
    <Confirmation
      eventId={event.id}
      request={{ kind: "resend", broadcast_id }}
      send={send}
      done={(result) => done(KIND_NAMES[broadcast.kind], result)}
      back={{ label: "やめる", go: close }}
      emptyText="いま送り直す相手がいません。すでに送ったか、回答済みか、LINEで送れません。"
    >
      <p>
        LINEの今月の送信上限に達したため、{KIND_NAMES[broadcast.kind]}を送れなかった{peopleCount(broadcast.resendable)}
        のうち、届く方に送ります。すでに届いている方には送りません。
      </p>
    </Confirmation>
  );
}
