import type { Payment, Reservation } from "../api/shapes";

export const RESERVATION: Reservation = {
  id: 501,
  staffUid: "7f3c2a52",
  staffId: "1001",
  reservationTypeId: 1,
  reservationTypeName: "職員健診",
  typeDescription: null,
  slotId: 12,
  serviceDateLocal: "2099-10-20",
  startMinuteOfDay: 540,
  durationMinutes: 30,
  periodKey: "FY2099",
  createdAt: "2099-10-01T09:00:00+09:00",
  updatedAt: "2099-10-01T09:00:00+09:00",
  canceledAt: null,
  attendance: null,
  freesYear: false,
  cancelableUntil: "2099-10-19T09:00:00+09:00",
  notes: "3階の健診室",
  confirmedAt: "2099-10-01T09:00:00+09:00",
  holdExpiresAt: null,
  holdExpired: false,
  refundUntil: null,
  payment: null,
  place: null,
  revision: 0,
};

export const PAYMENT: Payment = {
  status: "OPEN",
  checkoutUrl: "https://pay.example/c/1",
  expiresAt: "2099-10-10T12:31:00+09:00",
  amountJpy: 3000,
  refund: null,
};

/** A seat that is held until 12:35 and not paid for yet. */
export const HELD: Reservation = { ...RESERVATION, confirmedAt: null, holdExpiresAt: "2099-10-10T12:35:00+09:00", payment: PAYMENT };
