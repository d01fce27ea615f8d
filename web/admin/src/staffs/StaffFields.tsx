import { NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import classes from "../booking/Booking.module.css";
import type { FieldErrors } from "../booking/forms";
import { departmentsQuery } from "../booking/queries";
import type { Staff } from "../booking/shapes";
import { FIELD_NAMES, SEX_NAMES } from "../booking/words";
import type { Profile } from "./profile";

interface StaffFieldsProps {
  profile: Profile;
  change: (profile: Profile) => void;
  errors: FieldErrors;
  /** The person as they are now, whose department may no longer be in use. */
  staff?: Staff;
}

const TEXTS = ["staffId", "jobTitle", "familyName", "givenName", "familyNameKana", "givenNameKana", "emrPatientId"] as const;
const DIGITS = new Set<string>(["staffId", "emrPatientId"]);

/** The fields of a person, for a new one and for a change. */
export function StaffFields({ profile, change, errors, staff }: StaffFieldsProps) {
  const departments = (useQuery(departmentsQuery).data ?? []).filter(({ id, active }) => active || id === staff?.departmentId);
  const field = (name: keyof Profile) => ({
    label: FIELD_NAMES[name],
    size: "md" as const,
    value: profile[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => change({ ...profile, [name]: event.currentTarget.value }),
  });
  return (
    <div className={classes.fields}>
      {TEXTS.map((name) => (
        <TextInput key={name} {...field(name)} autoComplete="off" maxLength={100} inputMode={DIGITS.has(name) ? "numeric" : "text"} />
      ))}
      <NativeSelect {...field("departmentId")}>
        <option value="">選んでください</option>
        {departments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}（{id}）
          </option>
        ))}
      </NativeSelect>
      <TextInput {...field("dateOfBirth")} type="date" max="9999-12-31" />
      <NativeSelect {...field("sexCode")}>
        <option value="">未入力</option>
        {Object.entries(SEX_NAMES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <TextInput {...field("email")} description="LINEで送れないときの通知に使います。" type="email" autoComplete="off" maxLength={254} />
    </div>
  );
}
