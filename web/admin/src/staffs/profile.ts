import type { Faults } from "../booking/forms";
import type { Staff } from "../booking/wire";

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
] as const;

/** What a form holds: an empty text stands for nothing. */
export type Profile = Record<(typeof FIELDS)[number], string>;

const REQUIRED = ["staffId", "familyName", "jobTitle", "departmentId"] as const;
const NEVER_NULL = new Set<string>([...REQUIRED, "givenName"]);

export function profileOf(staff?: Staff): Profile {
  return Object.fromEntries(FIELDS.map((name) => [name, staff?.[name] ?? ""])) as Profile;
}

export function profileFaults(profile: Profile): Faults {
  const faults: Record<string, string> = {};
  for (const name of REQUIRED) if (profile[name].trim() === "") faults[name] = "入力してください";
  for (const name of ["staffId", "emrPatientId"] as const) {
    if (profile[name].trim() !== "" && !/^[0-9]{1,20}$/.test(profile[name].trim())) faults[name] = "半角の数字で入力してください（20けたまで）";
  }
  return faults;
}

/** What the API takes: the fields that differ, with null where a field was emptied. */
export function profileChanges(before: Profile, after: Profile): Record<string, string | null> {
  const changed = FIELDS.filter((name) => before[name] !== after[name].trim());
  return Object.fromEntries(changed.map((name) => [name, after[name].trim() === "" && !NEVER_NULL.has(name) ? null : after[name].trim()]));
}
