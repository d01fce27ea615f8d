import type { Coverage } from "../booking/shapes";
import classes from "../booking/Booking.module.css";
import own from "./Coverage.module.css";
import { percent } from "./percent";

interface DepartmentBarsProps {
  departments: Coverage["departments"];
  chosen: string | undefined;
  choose: (departmentId: string) => void;
}

/** A bar for each department; those with the most people missing come first, because they are the ones to call. */
export function DepartmentBars({ departments, chosen, choose }: DepartmentBarsProps) {
  const rows = departments.filter(({ staff }) => staff > 0).sort((one, other) => other.notBooked - one.notBooked);
  return (
    <section className={classes.card} aria-labelledby="coverage-departments">
      <h2 id="coverage-departments">部署ごと</h2>
      {rows.length === 0 && <p className={classes.emptyLine}>在籍中の職員がいません。</p>}
      <ul className={own.bars}>
        {rows.map((row) => (
          <li key={row.departmentId}>
            <button type="button" aria-pressed={row.departmentId === chosen} onClick={() => choose(row.departmentId)}>
              <span className={own.department}>{row.name}</span>
              <span className={own.bar} aria-hidden="true">
                <span data-part="came" style={{ width: width(row.came, row.staff) }} />
                <span data-part="booked" style={{ width: width(row.booked - row.came, row.staff) }} />
              </span>
              <span className={own.numbers}>
                予約 {row.booked.toLocaleString("ja-JP")}／{row.staff.toLocaleString("ja-JP")}人（{percent(row.booked, row.staff)}）
                {row.notBooked > 0 && <b>まだ {row.notBooked.toLocaleString("ja-JP")}人</b>}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className={own.legend}>
        <span data-part="came" />
        来た
        <span data-part="booked" />
        予約あり
        <span data-part="none" />
        まだ
      </p>
    </section>
  );
}

function width(count: number, of: number): string {
  return `${(Math.max(0, count) / of) * 100}%`;
}
