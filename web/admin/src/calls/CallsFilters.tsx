import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import booking from "../booking/Booking.module.css";
import { SearchField } from "../booking/SearchField";
import { HAS_SHOPS, shopsQuery } from "../shops/queries";
import { type CallsSearch, isNarrowed, narrowed, SYSTEMS } from "./search";
import { targetName } from "./words";

export function CallsFilters({ search, find }: { search: CallsSearch; find: (search: CallsSearch) => void }) {
  const shops = useQuery(shopsQuery).data?.shops ?? [];
  const change = (field: "shop_id" | "system" | "status") => (event: { currentTarget: { value: string } }) => find(narrowed(search, field, event.currentTarget.value));
  const withRequest = useCallback((words: string) => find(narrowed(search, "request", words)), [search, find]);
  return (
    <search className={booking.filters}>
      <div className={booking.words}>
        <SearchField label="処理の番号" placeholder="チケットや画面に出る番号" value={search.request ?? ""} search={withRequest} />
      </div>
      {HAS_SHOPS && (
        <NativeSelect label="店舗" size="md" value={search.shop_id ?? ""} onChange={change("shop_id")}>
          <option value="">すべて</option>
          {shops.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      )}
      <NativeSelect label="相手" size="md" value={search.system ?? ""} onChange={change("system")}>
        <option value="">すべて</option>
        {SYSTEMS.map((system) => (
          <option key={system} value={system}>
            {targetName(system)}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect label="結果" size="md" value={search.status ?? ""} onChange={change("status")}>
        <option value="">すべて</option>
        <option value="ok">成功</option>
        <option value="failed">失敗</option>
      </NativeSelect>
      {isNarrowed(search) && (
        <Button variant="subtle" size="md" className={booking.natural ?? ""} onClick={() => find({})}>
          条件を消す
        </Button>
      )}
    </search>
  );
}
