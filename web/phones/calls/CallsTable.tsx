import { useState } from "preact/hooks";
import { useSelected } from "../state/store";
import { CallRow } from "./CallRow";
import { CALL_FILTERS, type CallFilter, filterCalls } from "./call-words";

const ROWS_DRAWN = 200;
const COLUMNS = ["時刻", "向き", "要求", "結果", "時間", "備考"];

export function CallsTable() {
  const calls = useSelected((state) => state.calls);
  const [filter, setFilter] = useState<CallFilter>("all");
  const found = filterCalls(calls, filter);
  return (
    <div class="calls-body">
      <div class="calls-tools">
        <div class="filters" role="group" aria-label="通信のしぼり込み">
          {CALL_FILTERS.map(([one, label]) => (
            <button key={one} type="button" aria-pressed={filter === one} onClick={() => setFilter(one)}>
              {label}
            </button>
          ))}
        </div>
        <p class="found">{countWords(found.length)}</p>
      </div>
      {found.length > 0 ? (
        <div class="calls-table" tabIndex={0} role="region" aria-label="通信の一覧">
          <table role="table">
            <thead role="rowgroup">
              <tr role="row">
                {COLUMNS.map((name) => (
                  <th key={name} role="columnheader" scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {found
                .slice(-ROWS_DRAWN)
                .reverse()
                .map((call) => (
                  <CallRow key={call.n} call={call} />
                ))}
            </tbody>
          </table>
        </div>
      ) : (
        <p class="calls-empty">{calls.length === 0 ? "まだ通信はありません。電話で何かしてみてください。" : "あてはまる通信はありません。"}</p>
      )}
    </div>
  );
}

function countWords(count: number): string {
  return count > ROWS_DRAWN ? `新しい順に${ROWS_DRAWN}件（全${count}件）` : `${count}件`;
}
