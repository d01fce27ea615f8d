import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { typesQuery } from "../booking/queries";

interface TypeSelectProps {
  value: number | undefined;
  choose: (type: number | undefined) => void;
  label?: string;
  /** The words of the choice of no type. */
  none?: string;
  error?: string | undefined;
  /** Only types with which something new can be made. */
  activeOnly?: boolean;
}

export function TypeSelect({ value, choose, label = "予約の種類", none = "すべての種類", error, activeOnly = false }: TypeSelectProps) {
  const types = (useQuery(typesQuery).data ?? []).filter(({ id, active }) => active || !activeOnly || id === value);
  return (
    <NativeSelect
      label={label}
      size="md"
      value={value ?? ""}
      error={error}
      onChange={(event) => choose(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}
    >
      <option value="">{none}</option>
      {types.map(({ id, name, active }) => (
        <option key={id} value={id}>
          {name}
          {!active && "（使わない）"}
        </option>
      ))}
    </NativeSelect>
  );
}
