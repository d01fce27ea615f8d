import { Button, NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useSession } from "../session/useSession";
import classes from "./AuditTable.module.css";
import { actionGroups, actionName, actorName, isNamedActor, type Names, namedActors, subjectName } from "./names";
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
  const groups = actionGroups();
  const { action } = search;
  const unlisted = action !== undefined && !groups.some(({ actions }) => actions.includes(action));
  return (
    <search className={classes.filters}>
      <NativeSelect label="何を" size="md" value={action ?? ""} onChange={(event) => find(narrowed(search, "action", event.currentTarget.value))}>
        <option value="">すべての操作</option>
        {unlisted && <ActionOption action={action} />}
        {groups.map(({ label, actions }) => {
          const options = actions.map((each) => <ActionOption key={each} action={each} />);
          return label === null ? (
            options
          ) : (
            <optgroup key={label} label={label}>
              {options}
            </optgroup>
          );
        })}
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

function ActionOption({ action }: { action: string }) {
  return <option value={action}>{actionName(action)}</option>;
}

/** Every administrator (oneself alone while the others cannot be had), who is seen in the log, and those who are no person. */
function useActors(search: AuditSearch, entries: AuditEntry[]): { name: string; actors: string[] }[] {
  const { username } = useSession();
  const admins = useQuery(adminsQuery).data?.map((admin) => admin.username) ?? (username ? [username] : []);
  const seen = useRef(new Set<string>());
  for (const { actor } of entries) seen.current.add(actor);
  const everybody = new Set([...admins.map((name) => `admin:${name}`), ...seen.current, ...(search.actor ? [search.actor] : [])]);
  return [
    { name: "管理者", actors: [...everybody].filter((actor) => !isNamedActor(actor)) },
    { name: "会員の操作・システム", actors: namedActors() },
  ];
}
