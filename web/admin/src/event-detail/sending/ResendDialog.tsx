import { answerOf, api } from "../../api/client";
import { Confirmation } from "../actions/Confirmation";
import type { DialogProps } from "../actions/dialog";
import { useKeys } from "../actions/useKeys";
import { type Broadcast, inPeople } from "../event";
import { KINDS } from "./words";

/** Those whom LINE's monthly limit kept back: their message surely did not go out, so that nobody gets it twice. */
export function ResendDialog({ event, broadcast, done, close }: DialogProps & { broadcast: Broadcast }) {
  const keys = useKeys();
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
      ask={{ kind: "resend", broadcast_id }}
      send={send}
      done={(told) => done(KINDS[broadcast.kind], told)}
      back={{ label: "やめる", go: close }}
      nobody="いま送り直す相手がいません。すでに送ったか、回答済みか、LINEで送れません。"
    >
      <p>
        LINEの今月の送信上限に達したため、{KINDS[broadcast.kind]}を送れなかった{inPeople(broadcast.resendable)}
        に送ります。すでに届いている方には送りません。
      </p>
    </Confirmation>
  );
}
