import type { JSX } from "preact";
import type { StaffApi } from "../api/staff-api";
import { BirthField } from "../parts/birth-field";
import { DepartmentField } from "../parts/department-field";
import { SexField } from "../parts/sex-field";
import { TextField } from "../parts/text-field";
import type { FieldName, Troubles, Values } from "./fields";

interface PersonFieldsProps {
  api: StaffApi;
  /** Which fields are asked for; they stand in the order of the form, whatever the order here. */
  names: readonly string[];
  values: Values;
  departmentName?: string;
  onChange: (name: FieldName, value: string) => void;
  troubles: Troubles;
}

const TEXTS: { name: FieldName; label: string; hint?: string; keys?: "numeric" | "email"; longest?: number; autocomplete?: "family-name" | "given-name" | "email" }[] = [
  { name: "familyName", label: "姓", autocomplete: "family-name" },
  { name: "givenName", label: "名", autocomplete: "given-name" },
  { name: "familyNameKana", label: "姓のよみ（カタカナ）" },
  { name: "givenNameKana", label: "名のよみ（カタカナ）" },
  { name: "jobTitle", label: "職種", hint: "例：看護師", longest: 100 },
  { name: "emrPatientId", label: "患者ID（診察券の番号）", hint: "数字だけ。あとからの変更は、担当者への依頼が必要です。", keys: "numeric", longest: 20 },
  { name: "email", label: "メールアドレス（任意）", hint: "LINEでお知らせできないときに、代わりにメールでお送りします。", keys: "email", longest: 254, autocomplete: "email" },
];

/** The part of a form that asks for a person's data: any of the fields. */
export function PersonFields({ api, names, values, departmentName, onChange, troubles }: PersonFieldsProps): JSX.Element {
  const asks = (name: FieldName) => names.includes(name);
  const text = ({ name, label, hint, keys = undefined, longest = 50, autocomplete = undefined }: (typeof TEXTS)[number]) =>
    asks(name) && (
      <TextField
        key={name}
        id={name}
        label={label}
        hint={hint}
        maxLength={longest}
        {...(keys ? { keys } : {})}
        {...(autocomplete ? { autocomplete } : {})}
        value={values[name]}
        onChange={(value) => onChange(name, value)}
        trouble={troubles[name]}
      />
    );
  const [family, given, familyKana, givenKana, job, patient, mail] = TEXTS.map(text);
  return (
    <>
      <div class="pair">
        {family}
        {given}
      </div>
      <div class="pair">
        {familyKana}
        {givenKana}
      </div>
      {asks("departmentId") && (
        <DepartmentField
          api={api}
          value={values.departmentId}
          {...(departmentName === undefined ? {} : { valueName: departmentName })}
          onChange={(value) => onChange("departmentId", value)}
          trouble={troubles["departmentId"]}
        />
      )}
      {job}
      {asks("dateOfBirth") && (
        <BirthField value={values.dateOfBirth} onChange={(value) => onChange("dateOfBirth", value)} trouble={troubles["dateOfBirth"]} />
      )}
      {asks("sexCode") && <SexField value={values.sexCode} onChange={(value) => onChange("sexCode", value)} trouble={troubles["sexCode"]} />}
      {patient}
      {mail}
    </>
  );
}
