import type { BadgeTone, Row } from "../../../kit/rows";
import type { Reservation, WaitingPlace } from "../api/shapes";
import { beginOf, isOver } from "../days";

export interface Arranged {
  /** Live and still to come, the next one first. */
  coming: Reservation[];
  /** Over or cancelled, the latest first. */
  past: Reservation[];
}

export function arrange(reservations: readonly Reservation[], now: number = Date.now()): Arranged {
  const isComing = (one: Reservation) => one.canceledAt === null && !isOver(one, now);
  const byBegin = (a: Reservation, b: Reservation) => beginOf(a).localeCompare(beginOf(b)) || a.id - b.id;
  return {
    coming: reservations.filter(isComing).sort(byBegin),
    past: reservations.filter((one) => !isComing(one)).sort((a, b) => byBegin(b, a)),
  };
}

/** Places in which the person still waits. */
export function stillWaiting(places: readonly WaitingPlace[]): WaitingPlace[] {
  return places.filter(({ endedAt }) => endedAt === null).sort((a, b) => beginOf(a).localeCompare(beginOf(b)));
}

export function badgeOf(reservation: Reservation, now: number = Date.now()): { label: string; tone: BadgeTone } {
  if (reservation.canceledAt !== null) return { label: "取り消し", tone: "cancelled" };
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
