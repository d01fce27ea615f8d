import { useMemo, useState } from "react";
import { Badge, type Tone } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import type { ImportResult, ImportStatus } from "../booking/shapes";
import { useIncrementalRows } from "../event-detail/people/useIncrementalRows";
import { Notice } from "../frame/Notice";
import table from "../frame/Table.module.css";
import { IMPORT_STATUSES, importReason, nameInRow, statusName } from "./import";
import own from "./Staffs.module.css";

const TONES: Record<ImportStatus, Tone> = { created: "good", skippedExisting: "plain", skippedInvalid: "bad", duplicateInFile: "bad" };
const MOST_WARNINGS = 20;

/** Every row of the file with its result. Files of thousands of rows are drawn as far as they are looked at. */
export function ImportRows({ result, applied }: { result: ImportResult; applied: boolean }) {
  const [status, setStatus] = useState<ImportStatus | null>(null);
  const rows = useMemo(() => (status === null ? result.rows : result.rows.filter((row) => row.status === status)), [result, status]);
  const { rendered, remaining, sentinel } = useIncrementalRows(rows.length, rows);
  return (
    <>
      <Warnings result={result} />
      <div className={own.chips} role="group" aria-label="表示する行">
        <button type="button" aria-pressed={status === null} onClick={() => setStatus(null)}>
          すべて {result.rows.length.toLocaleString("ja-JP")}
        </button>
        {IMPORT_STATUSES.map((one) => (
          <button key={one} type="button" aria-pressed={status === one} onClick={() => setStatus(one)}>
            {statusName(one, applied)} {result.summary[one].toLocaleString("ja-JP")}
          </button>
        ))}
      </div>
      <div className={table.panel}>
        <table className={table.table}>
          <caption className={classes.hidden}>取り込みの結果</caption>
          <thead>
            <tr>
              <th scope="col">行</th>
              <th scope="col">結果</th>
              <th scope="col">職員番号</th>
              <th scope="col">名前</th>
              <th scope="col">理由</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, rendered).map((row) => (
              <tr key={row.rowNumber}>
                <td data-label="行" className={classes.number}>
                  {row.rowNumber}行目
                </td>
                <td data-label="結果">
                  <Badge tone={TONES[row.status]}>{statusName(row.status, applied)}</Badge>
                </td>
                <td data-label="職員番号" className={classes.number}>
                  {row.staffId}
                </td>
                <td data-label="名前" className={own.rowName}>{nameInRow(row)}</td>
                <td>{row.reason.map(importReason).join("。")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {remaining > 0 && <div ref={sentinel} style={{ height: `${Math.min(remaining, 500) * 2.5}rem` }} />}
      </div>
    </>
  );
}

function Warnings({ result }: { result: ImportResult }) {
  const { warnings } = result.summary;
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" title={`注意が${warnings.length.toLocaleString("ja-JP")}件あります`} className={classes.notice}>
      <ul className={own.warnings}>
        {warnings.slice(0, MOST_WARNINGS).map((warning, index) => (
          <li key={index}>
            {warning.rowNumber !== null && `${warning.rowNumber}行目：`}
            {warning.message}
          </li>
        ))}
      </ul>
      {warnings.length > MOST_WARNINGS && `ほか${(warnings.length - MOST_WARNINGS).toLocaleString("ja-JP")}件`}
    </Notice>
  );
}
