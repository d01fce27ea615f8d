// What the server sends to the staff portal and takes from it, by the paths of the API.
import type { Answer, Body } from "../../../api/shapes";

export type LoginResult = Answer<"/auth/login", "post">;
export type Tokens = Answer<"/auth/refresh", "post">;
export type LoginOptions = Answer<"/auth/options">;
export type Registration = Body<"/api/staffs", "post">;

export type Profile = Answer<"/api/staffs/me">;
/** Only the fields that change; the version and the PIN go along with them. */
export type ProfileChange = Omit<Body<"/api/staffs/me", "patch">, "version" | "currentPin">;
export type Department = Answer<"/api/departments">["items"][number];

export type Slot = Answer<"/api/slots">["items"][number];
export type Reservation = Answer<"/api/reservations/me">["items"][number];
export type Payment = Answer<"/api/reservations/{reservation_id}/payment", "post">;
export type Notice = Answer<"/api/reservations/{reservation_id}/notice">;
export type WaitingPlace = Answer<"/api/waiting/me">["items"][number];
export type ReceptionCode = Answer<"/api/reservations/{reservation_id}/reception">;
export type CalendarLink = Answer<"/api/reservations/{reservation_id}/calendar">;

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
