import type { BadgeTone, Row } from "../../../kit/rows";
import type { Reservation, WaitingPlace } from "../api/shapes";
import { beginOf, isOver } from "../days";
import { payStateOf } from "../payments/pay-state";

export interface Arranged {
  /** Live and still to come: first what is to be paid, then the next one. */
  coming: Reservation[];
  /** Over or cancelled, the latest first. */
  past: Reservation[];
}

export function arrange(reservations: readonly Reservation[], now: number = Date.now()): Arranged {
  const isComing = (one: Reservation) => one.canceledAt === null && !isOver(one, now) && payStateOf(one, now).kind !== "expired";
  const isDue = (one: Reservation) => Number(payStateOf(one, now).kind === "due");
  const byBegin = (a: Reservation, b: Reservation) => beginOf(a).localeCompare(beginOf(b)) || a.id - b.id;
  return {
    // What is to be paid within minutes comes before everything else.
    coming: reservations.filter(isComing).sort((a, b) => isDue(b) - isDue(a) || byBegin(a, b)),
    past: reservations.filter((one) => !isComing(one)).sort((a, b) => byBegin(b, a)),
  };
}

/** Places in which the person still waits. */
export function stillWaiting(places: readonly WaitingPlace[]): WaitingPlace[] {
  return places.filter(({ endedAt }) => endedAt === null).sort((a, b) => beginOf(a).localeCompare(beginOf(b)));
}

export function badgeOf(reservation: Reservation, now: number = Date.now()): { label: string; tone: BadgeTone } {
  const { kind } = payStateOf(reservation, now);
  if (kind === "expired") return { label: "期限切れ", tone: "cancelled" };
  if (reservation.canceledAt !== null) return { label: "取り消し", tone: "cancelled" };
  if (kind === "due" || kind === "konbini") return { label: "お支払い待ち", tone: "waiting" };
  if (reservation.attendance === "came") return { label: "受付済み", tone: "yes" };
  if (reservation.attendance === "absent") return { label: "欠席", tone: "no" };
  return isOver(reservation, now) ? { label: "終了", tone: "no" } : { label: "予約中", tone: "yes" };
}

export function rowOf(reservation: Reservation): Row {
  return {
    key: String(reservation.id),
    link: `/reservations/${reservation.id}`,
    title: reservation.reservationTypeName,
    date: beginOf(reservation),
    badge: badgeOf(reservation),
    past: reservation.canceledAt !== null || isOver(reservation),
  };
}

/** Whether the person may still move or cancel it. */
export function isChangeable({ canceledAt, cancelableUntil }: Reservation, now: number = Date.now()): boolean {
  return canceledAt === null && now < Date.parse(cancelableUntil);
}
