import type { Profile } from "../api/shapes";

/** Somebody who was imported and has not filled in anything yet. */
export const PROFILE: Profile = {
  staffUid: "u",
  staffId: "1001",
  emrPatientId: null,
  familyName: "山田",
  givenName: "太郎",
  fullName: "山田太郎",
  familyNameKana: "ヤマダ",
  givenNameKana: null,
  fullNameKana: "ヤマダ",
  jobTitle: "看護師",
  departmentId: "3A",
  departmentName: "3階A病棟",
  dateOfBirth: null,
  sexCode: null,
  status: "active",
  role: "STAFF",
  version: 1,
  pinMustChange: false,
  missing: ["emrPatientId", "dateOfBirth", "sexCode"],
  lineLinked: false,
  email: null,
  lastLoginAt: null,
  createdAt: "2026-10-01T09:00:00+09:00",
  updatedAt: "2026-10-01T09:00:00+09:00",
};
