import { useRef, useState } from "preact/hooks";
import { Icon } from "../page/Icon";
import { useSelected } from "../state/store";
import { CallsTable } from "./CallsTable";
import { hasFailed } from "./call-words";

/** For the curious: what went between the product and the stand-in for LINE, the newest first. */
export function CallsDrawer() {
  const [open, setOpen] = useState(false);
  const bar = useRef<HTMLButtonElement>(null);
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    bar.current?.focus();
  };
  return (
    <aside class={`calls ${open ? "open" : ""}`} aria-label="通信の記録" onKeyDown={closeByKey}>
      <button ref={bar} type="button" class="calls-bar" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "down" : "up"} size={16} />
        通信の記録
        {!open && <Newest />}
      </button>
      {open && <CallsTable />}
    </aside>
  );
}

function Newest() {
  const newest = useSelected((state) => state.calls[state.calls.length - 1]);
  if (!newest) return <span class="calls-newest">まだ通信はありません</span>;
  return (
    <span class={`calls-newest ${hasFailed(newest) ? "bad" : ""}`}>
      {newest.method} {newest.path} → {newest.status ?? "返事なし"}
    </span>
  );
}
