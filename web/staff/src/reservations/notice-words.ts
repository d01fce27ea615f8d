// What the person hears about a reservation, and when.
import { formatDateTime } from "../../../api/times";
import type { Reservation } from "../api/shapes";
import { isConfirmed } from "../payments/pay-state";

type Notified = Pick<Reservation, "notice" | "confirmedAt" | "holdExpiresAt">;

/** A calm line; empty where there is nothing to say. */
export function noticeText(reservation: Notified, lineLinked: boolean): string {
  const { notice } = reservation;
  if (!isConfirmed(reservation)) return lineLinked ? "お支払いが確認できると、LINEでお知らせします。" : "";
  const told = notice.told === null ? "" : TOLD[notice.told];
  return [told, reminder(notice.remindAt)].filter(Boolean).join("");
}

const TOLD = {
  SENT: "LINEでお知らせ済みです。",
  MAILED: "メールでお知らせ済みです。",
  PENDING: "まもなくLINEでお知らせします。",
  FAILED: "LINEでのお知らせが届いていないことがあります。予約は確定しています。",
} as const;

/** `リマインドは 12/08 08:00 に届きます。` */
function reminder(at: string | null): string {
  return at === null ? "" : `リマインドは ${formatDateTime(at).slice(5)} に届きます。`;
}
