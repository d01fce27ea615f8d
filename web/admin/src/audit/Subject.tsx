import { Link } from "@tanstack/react-router";
import classes from "./AuditTable.module.css";
import { type Names, subjectName } from "./names";
import type { AuditEntry } from "./queries";
import { type AuditSearch, narrowed } from "./search";

interface SubjectProps {
  entry: AuditEntry;
  names: Names;
  search: AuditSearch;
  find: (search: AuditSearch) => void;
}

/** Narrows the log to this one; an event can be opened from here as well. */
export function Subject({ entry: { subject, action, old, new: made }, names, search, find }: SubjectProps) {
  const event = /^event:(\d+)$/.exec(subject)?.[1];
  // A group that is gone has its name in the log alone, and an event its title.
  const told = /^(AUDIENCE|EVENT)_(CREATE|DELETE)$/.test(action) ? (made?.["title"] ?? made?.["name"] ?? old?.["name"]) : undefined;
  const plain = subjectName(subject, names);
  const words = typeof told === "string" && !plain.includes("「") ? `${plain.split(" ")[0]}「${told}」` : plain;
  return (
    <>
      {search.subject === subject ? (
        words
      ) : (
        <button type="button" className={classes.narrow} title="この対象の記録だけを見る" onClick={() => find(narrowed(search, "subject", subject))}>
          {words}
        </button>
      )}
      {event !== undefined && (
        <Link to="/events/$eventId" params={{ eventId: event }} className={classes.open} aria-label={`${words}を開く`}>
          開く
        </Link>
      )}
    </>
  );
}
