import { Link, type LinkProps } from "@tanstack/react-router";
import classes from "./AuditTable.module.css";
import { type Names, subjectName, subjectPath } from "./names";
import type { AuditEntry } from "./queries";
import { type AuditSearch, narrowed } from "./search";

interface SubjectProps {
  entry: AuditEntry;
  names: Names;
  search: AuditSearch;
  find: (search: AuditSearch) => void;
}

/** Narrows the log to this one; a subject that has a page can be opened from here as well. */
export function Subject({ entry, names, search, find }: SubjectProps) {
  const { subject } = entry;
  const path = subjectPath(subject);
  const words = subjectName(subject, names, titleInLog(entry));
  return (
    <>
      {search.subject === subject ? (
        words
      ) : (
        <button type="button" className={classes.narrow} title="この対象の記録だけを見る" onClick={() => find(narrowed(search, "subject", subject))}>
          {words}
        </button>
      )}
      {path !== null && (
        <Link to={path as NonNullable<LinkProps["to"]>} data-screen-only className={classes.open} aria-label={`${words}を開く`}>
          開く
        </Link>
      )}
    </>
  );
}

/** Something that is gone has its name in the log alone: there, where it was made or deleted. */
function titleInLog({ action, old, new: current }: AuditEntry): string | undefined {
  if (!/_(CREATE|DELETE)$/.test(action)) return undefined;
  const title = current?.["title"] ?? current?.["name"] ?? old?.["name"];
  return typeof title === "string" ? title : undefined;
}
