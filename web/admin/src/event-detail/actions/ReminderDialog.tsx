import { useQuery } from "@tanstack/react-query";
import { formatWithWeekday } from "../../../../kit/dates";
import { answerOf, api } from "../../api/client";
import { Notice } from "../../frame/Notice";
import { peopleCount } from "../event";
import { deliveriesQuery } from "../queries";
import { invitedLately } from "../sending/texts";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";
import { useIdempotencyKeys } from "./useIdempotencyKeys";

/** Reminds those who have not answered. Each person gets at most one reminder a day. */
export function ReminderDialog({ event, pending, done, close }: DialogProps & { pending: number }) {
  const keys = useIdempotencyKeys();
  const lately = invitedLately(useQuery(deliveriesQuery(event.id)).data?.items ?? [], Date.now());
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
      {lately !== null && <Notice tone="warning">案内は {formatWithWeekday(lately)} に送ったところです。まだ読んでいない方にも、続けて督促が届きます。</Notice>}
      <p>
        まだ回答していない{peopleCount(pending)}のうち、LINEで送れる方に、回答をお願いするメッセージを送ります。今日すでに督促した方には送りません。
      </p>
    </Confirmation>
  );
}
