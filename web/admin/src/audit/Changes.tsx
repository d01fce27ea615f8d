import classes from "./AuditTable.module.css";
import { type Change, changesOf, inWords, reasonInWords } from "./diff";
import { fieldName, inReadingOrder, type Names } from "./names";
import type { AuditEntry } from "./queries";

/** Old → new, field by field; what did not change is left out. */
export function Changes({ entry, names }: { entry: Pick<AuditEntry, "old" | "new" | "reason" | "action">; names: Names }) {
  const changes = inReadingOrder(changesOf(entry.old, entry.new));
  return (
    <dl className={classes.changes}>
      {entry.reason && (
        <div>
          <dt>{entry.action === "MEMBERS_SYNC" ? "取り込み元" : "理由"}</dt>
          <dd>{reasonInWords(entry.reason, entry.action)}</dd>
        </div>
      )}
      {changes.map((change) => (
        <div key={change.field}>
          <dt>{fieldName(change.field)}</dt>
          <dd>
            <Values change={change} names={names} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ change, names }: { change: Change; names: Names }) {
  const words = (value: unknown) => inWords(value, change.field, names);
  if (!change.had) return <span className={classes.new}>{words(change.new)}</span>;
  return (
    <>
      <del className={classes.old}>
        <span className={classes.hidden}>変更前 </span>
        {words(change.old)}
      </del>
      <span className={classes.arrow} aria-hidden="true">
        →
      </span>
      <ins className={classes.new}>
        <span className={classes.hidden}>変更後 </span>
        {words(change.new)}
      </ins>
    </>
  );
}
