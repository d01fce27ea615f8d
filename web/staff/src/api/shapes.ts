// What the server sends to the staff portal and takes from it, by the paths of the API.
import type { Answer, Body } from "../../../api/shapes";

export type LoginResult = Answer<"/auth/login", "post">;
export type Tokens = Answer<"/auth/refresh", "post">;
export type LoginOptions = Answer<"/auth/options">;
export type Registration = Body<"/api/staffs", "post">;

export type Profile = Answer<"/api/staffs/me"> & { email: string | null };
/** Only the fields that change; the version and the PIN go along with them. */
export type ProfileChange = Omit<Body<"/api/staffs/me", "patch">, "version" | "currentPin"> & { email?: string | null };
export type Department = Answer<"/api/departments">["items"][number];

export type Slot = Answer<"/api/slots">["items"][number] & {
  priceJpy: number | null;
  holdMinutes: number;
  konbini: boolean;
  refundUntilHours: number | null;
  place: string | null;
};
export interface Payment {
  status: "CREATING" | "OPEN" | "WAITING" | "PAID" | "EXPIRED" | "FAILED";
  checkoutUrl: string | null;
  expiresAt: string;
  amountJpy: number;
  refund: { status: "PENDING" | "DONE" | "FAILED"; amountJpy: number } | null;
}
export interface Notice {
  told: "SENT" | "MAILED" | "PENDING" | "FAILED" | null;
  remindAt: string | null;
}
export type Reservation = Answer<"/api/reservations/me">["items"][number] & {
  confirmedAt: string | null;
  holdExpiresAt: string | null;
  holdExpired: boolean;
  refundUntil: string | null;
  payment: Payment | null;
  place: string | null;
  revision: number;
  notice: Notice;
};
export type WaitingPlace = Answer<"/api/waiting/me">["items"][number];
export type ReceptionCode = Answer<"/api/reservations/{reservation_id}/reception">;

export interface CalendarLink {
  url: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
