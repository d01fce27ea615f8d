import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useCallback } from "react";
import booking from "../booking/Booking.module.css";
import { SearchField } from "../booking/SearchField";
import classes from "./Notices.module.css";
import { isNarrowed, KINDS, narrowed, type NoticesSearch } from "./search";
import { KIND_NAMES } from "./words";

interface NoticesFiltersProps {
  search: NoticesSearch;
  find: (search: NoticesSearch) => void;
}

export function NoticesFilters({ search, find }: NoticesFiltersProps) {
  const change = (field: keyof NoticesSearch) => (event: { currentTarget: { value: string } }) => find(narrowed(search, field, event.currentTarget.value));
  const withWords = useCallback((words: string) => find(narrowed(search, "q", words)), [search, find]);
  return (
    <search className={`${booking.filters} ${classes.filters}`}>
      <div className={booking.words}>
        <SearchField label="探す" placeholder="氏名・職員番号・予約番号" value={search.q ?? ""} search={withWords} />
      </div>
      <NativeSelect label="通知" size="md" value={search.kind ?? ""} onChange={change("kind")}>
        <option value="">すべての通知</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {KIND_NAMES[kind]}
          </option>
        ))}
      </NativeSelect>
      <TextInput label="予約の日（から）" type="date" size="md" max="9999-12-31" value={search.from ?? ""} onChange={change("from")} />
      <TextInput label="予約の日（まで）" type="date" size="md" max="9999-12-31" value={search.to ?? ""} onChange={change("to")} />
      {isNarrowed(search) && (
        <Button variant="subtle" size="md" className={booking.natural ?? ""} onClick={() => find({})}>
          条件を消す
        </Button>
      )}
    </search>
  );
}
