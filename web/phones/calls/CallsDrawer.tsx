import { useState } from "preact/hooks";
import { Icon } from "../page/Icon";
import { useSelected } from "../state/store";
import { CallRow } from "./CallRow";

const ROWS_DRAWN = 200;

/** For the curious: what went between the product and the stand-in for LINE, the newest first. */
export function CallsDrawer() {
  const [open, setOpen] = useState(false);
  return (
    <aside
      class={`calls ${open ? "open" : ""}`}
      aria-label="通信の記録"
      onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
    >
      <button type="button" class="calls-bar" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "up"} size={16} />
        通信の記録
        {!open && <Newest />}
      </button>
      {open && <Calls />}
    </aside>
  );
}

function Newest() {
  const newest = useSelected((state) => state.calls[state.calls.length - 1]);
  if (!newest) return <span class="calls-newest">まだ通信はありません</span>;
  return (
    <span class="calls-newest">
      {newest.method} {newest.path} → {newest.status ?? "返事なし"}
    </span>
  );
}

function Calls() {
  const calls = useSelected((state) => state.calls);
  if (calls.length === 0) return <p class="calls-empty">まだ通信はありません。電話で何かしてみてください。</p>;
  return (
    <div class="calls-table" tabIndex={0} role="region" aria-label="通信の一覧">
      <table>
        <thead>
          <tr>
            <th scope="col">時刻</th>
            <th scope="col">向き</th>
            <th scope="col">要求</th>
            <th scope="col">結果</th>
            <th scope="col">時間</th>
            <th scope="col">備考</th>
          </tr>
        </thead>
        <tbody>
          {calls
            .slice(-ROWS_DRAWN)
            .reverse()
            .map((call) => (
              <CallRow key={call.n} call={call} />
            ))}
        </tbody>
      </table>
    </div>
  );
}
