import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import classes from "../booking/Booking.module.css";
import { departmentsQuery } from "../booking/queries";
import { SearchField } from "../booking/SearchField";
import { STAFF_STATUS_NAMES } from "../booking/words";
import { narrowed, STATE_NAMES, STATES, type StaffsSearch, STATUSES } from "./search";

interface StaffsFiltersProps {
  search: StaffsSearch;
  find: (search: StaffsSearch) => void;
}

export function StaffsFilters({ search, find }: StaffsFiltersProps) {
  const departments = useQuery(departmentsQuery).data ?? [];
  const words = useCallback((text: string) => find(narrowed(search, "q", text)), [search, find]);
  const choose = (field: keyof StaffsSearch) => ({
    size: "md" as const,
    value: search[field] ?? "",
    onChange: (event: { currentTarget: { value: string } }) => find(narrowed(search, field, event.currentTarget.value)),
  });
  return (
    <search className={classes.filters}>
      <div className={classes.words}>
        <SearchField label="職員を探す" placeholder="氏名・ふりがな・職員番号" value={search.q ?? ""} search={words} />
      </div>
      <NativeSelect label="部署" {...choose("departmentId")}>
        <option value="">すべての部署</option>
        {departments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label="在籍" {...choose("status")}>
        <option value="">すべて</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {STAFF_STATUS_NAMES[status]}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label="気になる状態" {...choose("state")}>
        <option value="">指定しない</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {STATE_NAMES[state]}
          </option>
        ))}
      </NativeSelect>
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" size="md" className={classes.natural} onClick={() => find({})}>
          条件を消す
        </Button>
      )}
    </search>
  );
}
