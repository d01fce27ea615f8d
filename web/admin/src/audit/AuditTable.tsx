import { Fragment, useId, useState } from "react";
import table from "../frame/Table.module.css";
import { Moment } from "../frame/Moment";
import classes from "./AuditTable.module.css";
import { Changes } from "./Changes";
import { actionName, actorName, type Names } from "./names";
import type { AuditEntry } from "./queries";
import { type AuditSearch, narrowed } from "./search";
import { Subject } from "./Subject";

interface AuditTableProps {
  entries: AuditEntry[];
  names: Names;
  search: AuditSearch;
  find: (search: AuditSearch) => void;
}

export function AuditTable({ entries, ...shared }: AuditTableProps) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
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
            <EntryRows key={entry.id} entry={entry} {...shared} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRows({ entry, names, search, find }: Omit<AuditTableProps, "entries"> & { entry: AuditEntry }) {
  const [open, setOpen] = useState(false);
  const detailId = useId();
  const hasDetail = entry.old !== null || entry.new !== null || Boolean(entry.reason);
  return (
    <Fragment>
      <tr className={open ? classes.opened : undefined}>
        <td data-label="日時">
          <Moment at={entry.at} />
        </td>
        <td data-label="だれが">
          {search.actor === entry.actor ? (
            actorName(entry.actor)
          ) : (
            <button type="button" className={classes.narrow} title="この人の操作だけを見る" onClick={() => find(narrowed(search, "actor", entry.actor))}>
              {actorName(entry.actor)}
            </button>
          )}
        </td>
        <td data-label="何を" className={classes.action}>{actionName(entry.action)}</td>
        <td data-label="対象" className={classes.subject}>
          <Subject entry={entry} names={names} search={search} find={find} />
        </td>
        <td className={classes.toggleCell}>
          {hasDetail && (
            <button type="button" className={classes.toggle} aria-expanded={open} aria-controls={open ? detailId : undefined} onClick={() => setOpen(!open)}>
              {open ? "閉じる" : "詳細"}
            </button>
          )}
        </td>
      </tr>
      {open && (
        <tr id={detailId} className={classes.detail}>
          <td colSpan={5}>
            <Changes entry={entry} names={names} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}
