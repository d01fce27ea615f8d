import { Checkbox } from "@mantine/core";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import table from "../frame/Table.module.css";
import { CellSummary } from "./CellSummary";
import classes from "./Notices.module.css";
import { type NoticeRow, type Resendable, resendableOf } from "./queries";
import { KINDS, type NoticeKind } from "./search";
import { KIND_NAMES, RESERVATION_STATES } from "./words";

interface NoticesTableProps {
  rows: NoticeRow[];
  /** Only notices of this kind are chosen with a row. */
  kind: NoticeKind | undefined;
  chosen: ReadonlySet<number>;
  choose: (jobIds: readonly number[], on: boolean) => void;
  open: (row: NoticeRow) => void;
  resend: (notice: Resendable) => void;
}

export function NoticesTable({ rows, ...shared }: NoticesTableProps) {
  return (
    <div className={table.panel}>
      <table className={`${table.table} ${classes.table}`}>
        <caption className={booking.hidden}>予約ごとの通知</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className={booking.hidden}>選ぶ</span>
            </th>
            <th scope="col">予約</th>
            {KINDS.map((kind) => (
              <th key={kind} scope="col">
                {KIND_NAMES[kind]}
              </th>
            ))}
            <th scope="col">
              <span className={booking.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ReservationRow key={row.reservation_id} row={row} {...shared} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ReservationRow({ row, kind, chosen, choose, open, resend }: Omit<NoticesTableProps, "rows"> & { row: NoticeRow }) {
  const jobIds = resendableOf([row], kind, { safe: true }).map(({ cell }) => cell.job_id);
  const { name, tone } = RESERVATION_STATES[row.state];
  return (
    <tr>
      <td className={classes.tick}>
        {jobIds.length > 0 && (
          <Checkbox
            size="md"
            aria-label={`${row.staff_name}さんの通知を選ぶ`}
            checked={jobIds.every((jobId) => chosen.has(jobId))}
            onChange={(event) => choose(jobIds, event.currentTarget.checked)}
          />
        )}
      </td>
      <td className={classes.who}>
        <strong>{row.staff_name}</strong>
        <small>{row.reservation_type_name}</small>
        <small className="figures">{row.begins_at}</small>
        {row.state !== "confirmed" && <Badge tone={tone}>{name}</Badge>}
      </td>
      {KINDS.map((each) => (
        <td key={each} data-label={KIND_NAMES[each]} className={classes.notice}>
          <CellSummary row={row} kind={each} resend={resend} />
        </td>
      ))}
      <td className={classes.more}>
        <button type="button" aria-label={`${row.staff_name}さんの通知を詳しく見る`} onClick={() => open(row)}>
          詳しく
        </button>
      </td>
    </tr>
  );
}
