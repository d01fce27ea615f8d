import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useCallback } from "react";
import booking from "../booking/Booking.module.css";
import { SearchField } from "../booking/SearchField";
import classes from "./Payments.module.css";
import { isNarrowed, narrowed, PAYMENT_STATUSES, type PaymentsSearch, REFUND_STATES } from "./search";
import { REFUNDS, STATUSES } from "./words";

interface PaymentsFiltersProps {
  search: PaymentsSearch;
  find: (search: PaymentsSearch) => void;
}

export function PaymentsFilters({ search, find }: PaymentsFiltersProps) {
  const change = (field: keyof PaymentsSearch) => (event: { currentTarget: { value: string } }) => find(narrowed(search, field, event.currentTarget.value));
  const withWords = useCallback((words: string) => find(narrowed(search, "q", words)), [search, find]);
  return (
    <search className={`${booking.filters} ${classes.filters}`}>
      <div className={booking.words}>
        <SearchField label="探す" placeholder="氏名・ふりがな・職員番号" value={search.q ?? ""} search={withWords} />
      </div>
      <NativeSelect label="支払い" size="md" value={search.status ?? ""} onChange={change("status")}>
        <option value="">すべて</option>
        {PAYMENT_STATUSES.map((status) => (
          <option key={status} value={status}>
            {STATUSES[status].name}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label="返金" size="md" value={search.refund ?? ""} onChange={change("refund")}>
        <option value="">すべて</option>
        {REFUND_STATES.map((state) => (
          <option key={state} value={state}>
            {REFUNDS[state].name}
          </option>
        ))}
      </NativeSelect>
      <TextInput label="申し込みの日（から）" type="date" size="md" max="9999-12-31" value={search.from ?? ""} onChange={change("from")} />
      <TextInput label="申し込みの日（まで）" type="date" size="md" max="9999-12-31" value={search.to ?? ""} onChange={change("to")} />
      {isNarrowed(search) && (
        <Button variant="subtle" size="md" className={booking.natural ?? ""} onClick={() => find({})}>
          条件を消す
        </Button>
      )}
    </search>
  );
}
