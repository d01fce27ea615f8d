import { answerOf, api } from "../../api/client";
import { inPeople } from "../event";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useKeys } from "./useKeys";

/** Those who have not answered; nobody more than once a day. */
export function ReminderDialog({ event, pending, done, close }: DialogProps & { pending: number }) {
  const keys = useKeys();
  const send = (confirm_over_quota: boolean) => {
    const body = { confirm_over_quota };
    const headers = { "Idempotency-Key": keys.keyFor(body) };
    const params = { path: { event_id: event.id }, query: { wait: 3 } };
    return answerOf(api.POST("/api/admin/events/{event_id}/reminders", { params, body, headers }));
  };
  return (
    <Confirmation
      eventId={event.id}
      ask={{ kind: "reminder" }}
      send={send}
      done={(told) => done("督促", told)}
      back={{ label: "やめる", go: close }}
      nobody="いま督促を送る相手がいません。全員が回答済みか、LINEで送れないか、今日すでに送っています。督促は、おひとりに1日1回までです。"
    >
      <p>
        まだ回答していない{inPeople(pending)}のうち、LINEで送れる方に、回答をお願いするメッセージを送ります。今日すでに督促した方には送りません。
      </p>
    </Confirmation>
  );
}
