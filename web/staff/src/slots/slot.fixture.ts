import type { Slot } from "../api/shapes";

export const SLOT: Slot = {
  id: 12,
  reservationTypeId: 1,
  reservationTypeName: "職員健診",
  typeDescription: null,
  serviceDateLocal: "2099-10-20",
  startMinuteOfDay: 540,
  durationMinutes: 30,
  capacity: 10,
  seatsLeft: 4,
  bookable: true,
  reason: null,
  replaceable: null,
  bookingStart: null,
  bookingEnd: null,
  notes: "3階の健診室",
  waitingCount: 0,
  waitable: false,
  myReservationId: null,
  myWaitingId: null,
  priceJpy: null,
  holdMinutes: 35,
  refundUntilHours: null,
  place: null,
  mailFallback: false,
};

export const FULL: Slot = { ...SLOT, id: 13, seatsLeft: 0, bookable: false, reason: "SLOT_FULL", waitable: true };
