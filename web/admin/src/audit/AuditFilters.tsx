import { Button, NativeSelect } from "@mantine/core";
import { useRef } from "react";
import { useSession } from "../session/useSession";
import classes from "./AuditTable.module.css";
import { ACTION_GROUPS, ACTORS, actionName, actorName, type Names, subjectName } from "./names";
import type { AuditEntry } from "./queries";
import { type AuditSearch, isNarrowed, narrowed } from "./search";

interface AuditFiltersProps {
  search: AuditSearch;
  find: (search: AuditSearch) => void;
  entries: AuditEntry[];
  names: Names;
}

export function AuditFilters({ search, find, entries, names }: AuditFiltersProps) {
  const actors = useActors(search, entries);
  const unlisted = search.action !== undefined && !ACTION_GROUPS.some(({ actions }) => search.action! in actions);
  return (
    <search className={classes.filters}>
      <NativeSelect label="何を" size="md" value={search.action ?? ""} onChange={(event) => find(narrowed(search, "action", event.currentTarget.value))}>
        <option value="">すべての操作</option>
        {unlisted && <option value={search.action}>{actionName(search.action ?? "")}</option>}
        {ACTION_GROUPS.map(({ name, actions }) => (
          <optgroup key={name} label={name}>
            {Object.entries(actions).map(([action, words]) => (
              <option key={action} value={action}>
                {words}
              </option>
            ))}
          </optgroup>
        ))}
      </NativeSelect>
      <NativeSelect label="だれが" size="md" value={search.actor ?? ""} onChange={(event) => find(narrowed(search, "actor", event.currentTarget.value))}>
        <option value="">すべての人</option>
        {actors.map((actor) => (
          <option key={actor} value={actor}>
            {actorName(actor)}
          </option>
        ))}
      </NativeSelect>
      {search.subject !== undefined && (
        <p className={classes.only}>
          <span>
            対象：<strong>{subjectName(search.subject, names)}</strong>だけ
          </span>
          <Button variant="default" size="xs" aria-label="対象の条件を外す" onClick={() => find(narrowed(search, "subject", ""))}>
            外す
          </Button>
        </p>
      )}
      <Button variant="subtle" size="md" disabled={!isNarrowed(search)} onClick={() => find({})}>
        条件を消す
      </Button>
    </search>
  );
}

/** Oneself, everybody seen in the log so far, and those who are no person. */
function useActors(search: AuditSearch, entries: AuditEntry[]): string[] {
  const { username } = useSession();
  const seen = useRef(new Set<string>());
  for (const { actor } of entries) seen.current.add(actor);
  const people = new Set([...(username ? [`admin:${username}`] : []), ...seen.current, ...(search.actor ? [search.actor] : []), ...Object.keys(ACTORS)]);
  return [...people].sort((one, other) => Number(one in ACTORS) - Number(other in ACTORS));
}
