import type { AuditEntry } from "./AuditTable";
import classes from "./AuditTable.module.css";
import { type Change, changesOf, inWords } from "./diff";
import { fieldName } from "./names";

/** Old → new, field by field; what did not change is left out. */
export function Changes({ entry }: { entry: Pick<AuditEntry, "old" | "new" | "reason"> }) {
  const changes = changesOf(entry.old, entry.new);
  return (
    <dl className={classes.changes}>
      {entry.reason && (
        <div>
          <dt>理由</dt>
          <dd>{entry.reason}</dd>
        </div>
      )}
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{fieldName(change.field)}</dt>
          <dd>
            <Values change={change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ change }: { change: Change }) {
  const after = <span className={classes.new}>{inWords(change.new)}</span>;
  if (!change.had) return after;
  return (
    <>
      <del className={classes.old}>
        <span className={classes.hidden}>変更前 </span>
        {inWords(change.old)}
      </del>
      <span className={classes.arrow} aria-hidden="true">
        →
      </span>
      <ins className={classes.new}>
        <span className={classes.hidden}>変更後 </span>
        {inWords(change.new)}
      </ins>
    </>
  );
}
