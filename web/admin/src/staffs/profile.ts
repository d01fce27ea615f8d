import type { FieldErrors } from "../booking/forms";
import type { Staff } from "../booking/shapes";

const FIELDS = [
  "staffId",
  "emrPatientId",
  "familyName",
  "givenName",
  "familyNameKana",
  "givenNameKana",
  "jobTitle",
  "departmentId",
  "dateOfBirth",
  "sexCode",
  "email",
] as const;

/** What a form holds: an empty text stands for nothing. */
export type Profile = Record<(typeof FIELDS)[number], string>;

const REQUIRED = ["staffId", "familyName", "givenName", "jobTitle", "departmentId"] as const;
const NEVER_NULL = new Set<string>(REQUIRED);

export function profileOf(staff?: Staff): Profile {
  return Object.fromEntries(FIELDS.map((name) => [name, staff?.[name] ?? ""])) as Profile;
}

/** A field that was empty before may stay so: a file whose names have no space brings people without a given name. */
export function profileErrors(profile: Profile, before: Profile | null = null): FieldErrors {
  const errors: Record<string, string> = {};
  for (const name of REQUIRED) if (profile[name].trim() === "" && before?.[name] !== "") errors[name] = "入力してください";
  for (const name of ["staffId", "emrPatientId"] as const) {
    if (profile[name].trim() !== "" && !/^[0-9]{1,20}$/.test(profile[name].trim())) errors[name] = "半角の数字で入力してください（20けたまで）";
  }
  if (profile.email.trim() !== "" && !/^[^\s@]+@[^\s@]+$/.test(profile.email.trim())) errors["email"] = "メールアドレスの形になっていません";
  return errors;
}

/** What the API takes: the fields that differ, with null where a field was emptied. */
export function profileChanges(before: Profile, after: Profile): Record<string, string | null> {
  const changed = FIELDS.filter((name) => before[name] !== after[name].trim());
  return Object.fromEntries(changed.map((name) => [name, after[name].trim() === "" && !NEVER_NULL.has(name) ? null : after[name].trim()]));
}
