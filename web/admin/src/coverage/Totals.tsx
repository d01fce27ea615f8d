import type { Coverage } from "../booking/shapes";
import own from "./Coverage.module.css";
import { percent } from "./percent";

export function Totals({ totals }: { totals: Coverage["totals"] }) {
  const figures = [
    ["予約した", totals.booked],
    ["まだ", totals.notBooked],
    ["来た", totals.came],
    ["来なかった", totals.absent],
  ] as const;
  return (
    <dl className={own.totals} aria-label="全体">
      <div className={own.total}>
        <dt>在籍</dt>
        <dd>
          {totals.staff.toLocaleString("ja-JP")}
          <small>人</small>
        </dd>
      </div>
      {figures.map(([name, count]) => (
        <div key={name} className={own.total} data-attention={(name === "まだ" && count > 0) || undefined}>
          <dt>{name}</dt>
          <dd>
            {count.toLocaleString("ja-JP")}
            <small>人</small> <small className={own.percent}>{percent(count, totals.staff)}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}
