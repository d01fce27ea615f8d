// What the person hears about a reservation, and when.
import { formatDateTime } from "../../../api/times";
import type { Notice } from "../api/shapes";

/** A calm line; empty where there is nothing to say. */
export function noticeText({ told, remindAt }: Notice): string {
  return `${told === null ? "" : TOLD[told]}${reminder(remindAt)}`;
}

const TOLD = {
  SENT: "LINEでお知らせ済みです。",
  MAILED: "メールでお知らせ済みです。",
  PENDING: "まもなくお知らせします。",
  FAILED: "お知らせが届いていないことがあります。予約は確定しています。",
} as const;

/** `リマインドは 12/08 08:00 に届きます。` */
function reminder(at: string | null): string {
  return at === null ? "" : `リマインドは ${formatDateTime(at).slice(5)} に届きます。`;
}
