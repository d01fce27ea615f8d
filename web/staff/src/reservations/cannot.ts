// Why a reservation can no longer be moved or cancelled, for somebody who comes from an older message.
import { formatWithWeekday } from "../../../kit/dates";
import type { ErrorWords } from "../../../kit/error-words";
import type { Reservation } from "../api/shapes";
import { isOver } from "../days";
import { isConfirmed, payStateOf } from "../payments/pay-state";

const CALL = "ご都合が悪くなったときは、担当者にお電話ください。";

export function cannotChange(reservation: Reservation, what: "変更" | "取り消し", now: number = Date.now()): ErrorWords | null {
  if (payStateOf(reservation, now).kind === "expired") {
    return { title: "取り消し済みの予約です", text: "お支払いの期限が過ぎたため、席のお取り置きは取り消されています。料金はかかっていません。" };
  }
  if (reservation.canceledAt !== null) {
    return { title: "取り消し済みの予約です", text: `この予約は、${formatWithWeekday(reservation.canceledAt)} に取り消されています。もう一度予約するときは、「予約する」から枠を選んでください。` };
  }
  if (reservation.attendance === "came") return { title: "受付が済んだ予約です", text: `受付が済んでいるため、${what}はできません。` };
  if (isOver(reservation, now)) return { title: "終わった予約です", text: `日時を過ぎているため、${what}はできません。` };
  if (now >= Date.parse(reservation.cancelableUntil)) {
    return { title: `${what}の期限を過ぎました`, text: `期限は ${formatWithWeekday(reservation.cancelableUntil)} でした。${CALL}` };
  }
  if (what === "変更" && !isConfirmed(reservation)) {
    return { title: "先にお支払いをお願いします", text: "日時の変更は、お支払いで予約が確定してからできます。" };
  }
  return null;
}
