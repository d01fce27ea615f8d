import { Fragment, useId, useState } from "react";
import type { Answer } from "../../../api/shapes";
import lists from "../frame/Lists.module.css";
import { Moment } from "../frame/Moment";
import classes from "./AuditTable.module.css";
import { Changes } from "./Changes";
import { actionName, actorName, subjectName } from "./names";

export type AuditEntry = Answer<"/api/admin/audit-logs">["items"][number];

export function AuditTable({ entries }: { entries: AuditEntry[] }) {
  return (
    <div className={lists.panel}>
      <table className={lists.table}>
        <caption className={classes.hidden}>操作履歴</caption>
        <thead>
          <tr>
            <th scope="col">日時</th>
            <th scope="col">だれが</th>
            <th scope="col">何を</th>
            <th scope="col">対象</th>
            <th scope="col">
              <span className={classes.hidden}>詳細</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRows key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRows({ entry }: { entry: AuditEntry }) {
  const [open, setOpen] = useState(false);
  const detailId = useId();
  const hasDetail = entry.old !== null || entry.new !== null || Boolean(entry.reason);
  return (
    <Fragment>
      <tr className={open ? classes.opened : undefined}>
        <td data-label="日時">
          <Moment at={entry.at} />
        </td>
        <td data-label="だれが">{actorName(entry.actor)}</td>
        <td data-label="何を">{actionName(entry.action)}</td>
        <td data-label="対象" className={classes.subject}>
          {subjectName(entry.subject)}
        </td>
        <td className={classes.toggleCell}>
          {hasDetail && (
            <button type="button" className={classes.toggle} aria-expanded={open} aria-controls={detailId} onClick={() => setOpen(!open)}>
              {open ? "閉じる" : "詳細"}
            </button>
          )}
        </td>
      </tr>
      {open && (
        <tr id={detailId} className={classes.detail}>
          <td colSpan={5}>
            <Changes entry={entry} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}
