// What the server sends to the staff portal and takes from it.

export interface LoginResult {
  accessToken: string;
  expiresIn: number;
  pinMustChange: boolean;
  profileComplete: boolean;
}

export type Tokens = Pick<LoginResult, "accessToken" | "expiresIn">;

export interface LoginOptions {
  selfRegistration: "open" | "code" | "off";
}

export interface Profile {
  staffUid: string;
  staffId: string;
  emrPatientId: string | null;
  familyName: string;
  givenName: string;
  fullName: string;
  familyNameKana: string | null;
  givenNameKana: string | null;
  fullNameKana: string | null;
  jobTitle: string;
  departmentId: string;
  departmentName: string;
  dateOfBirth: string | null;
  sexCode: string | null;
  version: number;
  missing: string[];
  lineLinked: boolean;
}

export interface Department {
  id: string;
  name: string;
}

export interface Slot {
  id: number;
  reservationTypeId: number;
  reservationTypeName: string;
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
  capacity: number;
  seatsLeft: number;
  bookable: boolean;
  reason: string | null;
  bookingStart: string | null;
  bookingEnd: string | null;
  notes: string | null;
  waitingCount: number;
  myReservationId: number | null;
  myWaitingId: number | null;
}

export interface Reservation {
  id: number;
  reservationTypeId: number;
  reservationTypeName: string;
  slotId: number;
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
  periodKey: string;
  createdAt: string;
  canceledAt: string | null;
  attendance: "came" | "absent" | null;
  cancelableUntil: string;
  notes: string | null;
}

export interface WaitingPlace {
  id: number;
  slotId: number;
  reservationTypeName: string;
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
  position: number | null;
  promotionUntil: string;
  endedAt: string | null;
  outcome: "promoted" | "left" | "withdrawn" | "expired" | null;
}

export interface ReceptionCode {
  code: string;
  size: number;
  path: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}
