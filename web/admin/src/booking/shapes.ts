// The shapes of the booking API under the names that these screens use for them.
import type { Answer } from "../../../api/shapes";

export type Department = Answer<"/api/admin/departments">["items"][number];
export type ReservationType = Answer<"/api/admin/reservation-types">["items"][number];
export type Staff = Answer<"/api/admin/staffs">["items"][number];
export type Slot = Answer<"/api/admin/slots">["items"][number];
export type SlotStatus = Slot["status"];
export type Quota = Slot["quotas"][number];
export type Plan = Answer<"/api/admin/slots/bulk", "post">;
export type CalendarDay = Answer<"/api/admin/slots/calendar">["days"][number];
export type Reservation = Answer<"/api/admin/reservations">["items"][number];
export type Attendance = Reservation["attendance"];
export type WaitingPlace = Answer<"/api/admin/slots/{slot_id}/waiting">["items"][number];
export type Coverage = Answer<"/api/admin/coverage">;
export type ImportResult = Answer<"/api/admin/staffs/import", "post">;
export type ImportRow = ImportResult["rows"][number];
export type ImportStatus = ImportRow["status"];
