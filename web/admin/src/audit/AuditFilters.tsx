import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useSession } from "../session/useSession";
import classes from "./AuditTable.module.css";
import { ACTION_GROUPS, ACTORS, actionName, actorName, type Names, subjectName } from "./names";
import { type AuditEntry, adminsQuery } from "./queries";
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
        {actors.map(({ name, actors }) => (
          <optgroup key={name} label={name}>
            {actors.map((actor) => (
              <option key={actor} value={actor}>
                {actorName(actor)}
              </option>
            ))}
          </optgroup>
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

/** Every administrator (oneself alone while the others cannot be had), who is seen in the log, and those who are no person. */
function useActors(search: AuditSearch, entries: AuditEntry[]): { name: string; actors: string[] }[] {
  const { username } = useSession();
  const admins = useQuery(adminsQuery).data?.map((admin) => admin.username) ?? (username ? [username] : []);
  const seen = useRef(new Set<string>());
  for (const { actor } of entries) seen.current.add(actor);
  const everybody = new Set([...admins.map((name) => `admin:${name}`), ...seen.current, ...(search.actor ? [search.actor] : [])]);
  return [
    { name: "管理者", actors: [...everybody].filter((actor) => !(actor in ACTORS)) },
    { name: "会員の操作・システム", actors: Object.keys(ACTORS) },
  ];
}
