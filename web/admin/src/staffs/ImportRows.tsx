import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { Badge, type Tone } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { departmentsQuery } from "../booking/queries";
import type { ImportResult, ImportStatus } from "../booking/shapes";
import { Notice } from "../frame/Notice";
import table from "../frame/Table.module.css";
import { usePrinting } from "../paper/printing";
import { departmentFinder, IMPORT_STATUSES, importReason, kanaInRow, nameInRow, type RowDepartment, statusName, type WarningGroup, warningGroups } from "./import";
import own from "./Staffs.module.css";

const TONES: Record<ImportStatus, Tone> = { created: "good", skippedExisting: "plain", skippedInvalid: "bad", duplicateInFile: "bad" };
const PAGE_SIZE = 50;
const MOST_ROW_NUMBERS = 10;

interface ImportRowsProps {
  result: ImportResult;
  applied: boolean;
  /** Whether the departments that are missing are made with the import. */
  creates: boolean;
}

/** Every row of the file with its result, a page at a time: a file may have thousands. */
export function ImportRows({ result, applied, creates }: ImportRowsProps) {
  const { data: registered } = useQuery(departmentsQuery);
  const [status, setStatus] = useState<ImportStatus | null>(null);
  const [page, setPage] = useState(0);
  // Nobody turns pages on paper.
  const printing = usePrinting();
  const top = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => (status === null ? result.rows : result.rows.filter((row) => row.status === status)), [result, status]);
  const departmentOf = useMemo(() => departmentFinder(registered ?? [], result, creates), [registered, result, creates]);
  // Other rows begin with their first page.
  useEffect(() => setPage(0), [rows]);
  function turn(to: number): void {
    setPage(to);
    top.current?.scrollIntoView();
  }
  return (
    <>
      <Warnings result={result} />
      <div ref={top} className={own.chips} role="group" aria-label="表示する行">
        <button type="button" aria-pressed={status === null} onClick={() => setStatus(null)}>
          すべて {result.rows.length.toLocaleString("ja-JP")}
        </button>
        {IMPORT_STATUSES.map((one) => (
          <button key={one} type="button" aria-pressed={status === one} onClick={() => setStatus(one)}>
            {statusName(one, applied)} {result.summary[one].toLocaleString("ja-JP")}
          </button>
        ))}
      </div>
      {rows.length === 0 ? (
        <p className={classes.emptyLine}>この結果の行はありません。</p>
      ) : (
        <div className={table.panel}>
          <table className={table.table}>
            <caption className={classes.hidden}>取り込みの結果</caption>
            <thead>
              <tr>
                <th scope="col">行</th>
                <th scope="col">結果</th>
                <th scope="col">職員番号</th>
                <th scope="col">名前</th>
                <th scope="col">部署</th>
                <th scope="col">職種</th>
                <th scope="col">理由</th>
              </tr>
            </thead>
            <tbody>
              {(printing ? rows : rows.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)).map((row) => {
                const department = departmentOf(row);
                return (
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
                    <td data-label="名前" className={own.rowName}>
                      {nameInRow(row)}
                      {kanaInRow(row) && <small className={own.below}>{kanaInRow(row)}</small>}
                    </td>
                    <td data-label="部署" className={own.text}>
                      {department.name}
                      {besideName(department) && <small className={own.below}>{besideName(department)}</small>}
                    </td>
                    <td data-label="職種" className={own.text}>{row.input["jobTitle"]}</td>
                    <td>{row.reason.map(importReason).join("。")}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      <Pages page={page} total={rows.length} turn={turn} />
    </>
  );
}

function besideName({ name, code, isNew }: RowDepartment): string {
  return [code === name ? "" : code, isNew ? "新しい部署" : ""].filter(Boolean).join("・");
}

function Pages({ page, total, turn }: { page: number; total: number; turn: (page: number) => void }) {
  const last = Math.ceil(total / PAGE_SIZE) - 1;
  if (last < 1) return null;
  const end = Math.min((page + 1) * PAGE_SIZE, total);
  return (
    <nav className={own.pages} aria-label="結果のページ">
      <Button variant="default" size="md" disabled={page === 0} onClick={() => turn(page - 1)}>
        前の{PAGE_SIZE}行
      </Button>
      <span aria-live="polite">
        {total.toLocaleString("ja-JP")}行のうち {(page * PAGE_SIZE + 1).toLocaleString("ja-JP")}〜{end.toLocaleString("ja-JP")}
      </span>
      <Button variant="default" size="md" disabled={page === last} onClick={() => turn(page + 1)}>
        次の{PAGE_SIZE}行
      </Button>
    </nav>
  );
}

function Warnings({ result }: { result: ImportResult }) {
  const groups = warningGroups(result.summary.warnings);
  if (groups.length === 0) return null;
  return (
    <Notice tone="warning" title={`注意が${result.summary.warnings.length.toLocaleString("ja-JP")}件あります`} className={classes.notice}>
      <ul className={own.warnings}>
        {groups.map((group) => (
          <li key={group.code}>
            <WarningLine group={group} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** One line for each kind of warning. A heading that is not used is told with its name, behind a fold where they are many. */
function WarningLine({ group: { messages, rows } }: { group: WarningGroup }) {
  if (messages.length > 1) {
    return (
      <details>
        <summary>使わない列が{messages.length}列あります</summary>
        {messages.map((message) => (
          <div key={message}>{message}</div>
        ))}
      </details>
    );
  }
  const shown = rows.slice(0, MOST_ROW_NUMBERS).map((row) => `${row}行目`);
  const others = rows.length - shown.length;
  return (
    <>
      {messages[0]}
      {rows.length > 0 && `（${shown.join("、")}${others > 0 ? `、ほか${others.toLocaleString("ja-JP")}行` : ""}）`}
    </>
  );
}
