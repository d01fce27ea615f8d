import { answerOf, api } from "../../api/client";
import { peopleCount } from "../event";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useIdempotencyKeys } from "./useIdempotencyKeys";

/** Reminds those who have not answered. Each person gets at most one reminder a day. */
export function ReminderDialog({ event, pending, done, close }: DialogProps & { pending: number }) {
  const keys = useIdempotencyKeys();
  const send = (confirm_over_quota: boolean) => {
    const body = { confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/reminders", { params, body, headers }));
  };
  return (
    <Confirmation
      eventId={event.id}
      request={{ kind: "reminder" }}
      send={send}
      done={(result) => done("督促", result)}
      back={{ label: "やめる", go: close }}
      emptyText="いま督促を送る相手がいません。全員が回答済みか、LINEで送れないか、今日すでに送っています。督促は、おひとりに1日1回までです。"
    >
      <p>
        まだ回答していない{peopleCount(pending)}のうち、LINEで送れる方に、回答をお願いするメッセージを送ります。今日すでに督促した方には送りません。
      </p>
    </Confirmation>
  );
}
