import type { Reservation } from "../api/shapes";

export const RESERVATION: Reservation = {
  id: 501,
  staffUid: "7f3c2a52",
  staffId: "1001",
  reservationTypeId: 1,
  reservationTypeName: "職員健診",
  slotId: 12,
  serviceDateLocal: "2099-10-20",
  startMinuteOfDay: 540,
  durationMinutes: 30,
  periodKey: "FY2099",
  createdAt: "2099-10-01T09:00:00+09:00",
  updatedAt: "2099-10-01T09:00:00+09:00",
  canceledAt: null,
  attendance: null,
  cancelableUntil: "2099-10-19T09:00:00+09:00",
  notes: "3階の健診室",
};
