// The shapes of the booking API, written by hand until the description of the API has them.
import type { FetchResponse } from "openapi-fetch";
import { api as typed } from "../api/client";

export interface Department {
  id: string;
  name: string;
  active: boolean;
  staffCount: number;
  createdAt: string;
  updatedAt: string;
}

export interface ReservationType {
  id: number;
  name: string;
  description: string | null;
  active: boolean;
  limitPerYear: number | null;
  minimumDaysBetween: number | null;
  cancelUntilHours: number;
  overlapAllowed: boolean;
  slotCount: number;
  createdAt: string;
  updatedAt: string;
}

export interface Staff {
  staffUid: string;
  staffId: string;
  emrPatientId: string | null;
  familyName: string;
  givenName: string;
  familyNameKana: string | null;
  givenNameKana: string | null;
  fullName: string;
  fullNameKana: string | null;
  jobTitle: string;
  departmentId: string;
  departmentName: string;
  dateOfBirth: string | null;
  sexCode: string | null;
  pinRetryCount: number;
  pinLockedUntil: string | null;
  pinUpdatedAt: string;
  pinMustChange: boolean;
  version: number;
  status: "active" | "suspended" | "left";
  role: "STAFF" | "ADMIN";
  lastLoginAt: string | null;
  createdAt: string;
  updatedAt: string;
  locked: boolean;
  missing: string[];
  source: string;
  confirmedAt: string | null;
  activateUntil: string | null;
  lineLinked: boolean;
  liveSessions: number;
  maskedAt?: string | null;
}

export type SlotStatus = "draft" | "published" | "closed";

export interface Quota {
  departmentId: string;
  seats: number;
}

export interface Slot {
  id: number;
  reservationTypeId: number;
  reservationTypeName: string;
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
  capacity: number;
  bookedCount: number;
  seatsLeft: number;
  waitingCount: number;
  status: SlotStatus;
  bookingStart: string | null;
  bookingEnd: string | null;
  notes: string | null;
  quotas: Quota[];
  createdAt: string;
  updatedAt: string;
}

export interface PlannedSlot {
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
  capacity: number;
}

export interface SkippedSlot {
  serviceDateLocal: string;
  startMinuteOfDay?: number | null;
  reason: "HOLIDAY" | "EXCLUDED" | "EXISTS" | "PAST";
  name?: string | null;
}

export interface Plan {
  dryRun: boolean;
  created: number;
  slots: PlannedSlot[];
  skipped: SkippedSlot[];
}

export interface CalendarDay {
  date: string;
  holiday: string | null;
  slots: number;
  capacity: number;
  booked: number;
  draft: number;
  published: number;
  closed: number;
}

export type Attendance = "came" | "absent" | null;

export interface Reservation {
  id: number;
  staffUid: string;
  staffId: string;
  fullName: string;
  fullNameKana: string | null;
  departmentId: string;
  departmentName: string;
  reservationTypeId: number;
  reservationTypeName: string;
  slotId: number;
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
  periodKey: string;
  createdAt: string;
  updatedAt: string;
  canceledAt: string | null;
  attendance: Attendance;
}

export interface WaitingPlace {
  id: number;
  staffUid: string;
  staffId: string;
  fullName: string;
  departmentName: string;
  createdAt: string;
  skippedBecause: string | null;
}

export interface CoverageCounts {
  staff: number;
  booked: number;
  came: number;
  absent: number;
  notBooked: number;
}

export interface Coverage {
  periodKey: string;
  totals: CoverageCounts;
  departments: (CoverageCounts & { departmentId: string; name: string; percentBooked: number; percentCame: number })[];
}

export interface CoveragePerson {
  staffUid: string;
  staffId: string;
  fullName: string;
  fullNameKana: string | null;
  departmentName: string;
  serviceDateLocal: string | null;
}

export type ImportStatus = "created" | "skippedExisting" | "skippedInvalid" | "duplicateInFile";

export interface ImportRow {
  rowNumber: number;
  staffId: string | null;
  input: Record<string, string>;
  status: ImportStatus;
  reason: string[];
}

export interface ImportResult {
  importBatchId?: string;
  summary: Record<ImportStatus, number> & { warnings: { rowNumber: number | null; code: string; message: string }[] };
  rows: ImportRow[];
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

type Untyped = (path: string, options?: object) => Promise<FetchResponse<Record<number, never>, object, `${string}/${string}`> & { data?: never }>;

export const api = typed as unknown as Record<"GET" | "POST" | "PATCH" | "PUT" | "DELETE", Untyped>;
