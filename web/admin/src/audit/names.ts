// The log keeps codes, which never change; people read words, which the server's configuration gives. A code without
// words is shown as it is.
import { CONFIG } from "../config";

export interface Names {
  member: (id: number) => string | undefined;
  audience: (id: number) => string | undefined;
}

export function actionName(action: string): string {
  return CONFIG.audit_actions[action] ?? action;
}

export interface ActionGroup {
  /** Null for actions that stand by themselves. */
  label: string | null;
  actions: string[];
}

/** In the groups in which somebody looks for them, and then those that are in no group. */
export function actionGroups({ audit_actions, audit_groups }: Pick<typeof CONFIG, "audit_actions" | "audit_groups"> = CONFIG): ActionGroup[] {
  const groups = audit_groups
    .map(({ label, actions }) => ({ label, actions: actions.filter((action) => action in audit_actions) }))
    .filter(({ actions }) => actions.length > 0);
  const grouped = new Set(groups.flatMap(({ actions }) => actions));
  const others = Object.keys(audit_actions).filter((action) => !grouped.has(action));
  return others.length > 0 ? [...groups, { label: null, actions: others }] : groups;
}

/** Those who act without being an administrator. */
export function isNamedActor(actor: string): boolean {
  return actor in CONFIG.audit_actors;
}

export function namedActors(): string[] {
  return Object.keys(CONFIG.audit_actors);
}

/** `admin:yamada` is yamada; the kind in front matters to the log alone. */
export function actorName(actor: string): string {
  return CONFIG.audit_actors[actor] ?? actor.replace(/^admin:/, "");
}

/** `event:7` is the subject 7 of the kind that the configuration calls `event`. Ids may be numbers, uuids or codes. */
function parsed(subject: string): { kind: string; label: string; id: string; path: string | null } | null {
  const [, kind = "", id = ""] = /^(\w+):([\w-]+)$/.exec(subject) ?? [];
  const known = CONFIG.audit_subjects[kind];
  return known === undefined ? null : { kind, label: known.label, id, path: known.path?.replace("{id}", id) ?? null };
}

/** `member:5` is 会員「山田太郎」 where the name is known, and 会員 5 where it is not. `title` is a name that the log itself has. */
export function subjectName(subject: string, names?: Names, title?: string): string {
  const whole = CONFIG.audit_subjects[subject];
  if (whole) return whole.label;
  const found = parsed(subject);
  if (found === null) return subject.replace(/^admin:/, "");
  const { kind, label, id } = found;
  const name = (kind === "member" ? names?.member(Number(id)) : kind === "audience" ? names?.audience(Number(id)) : undefined) ?? title;
  return name === undefined ? `${label} ${id}` : `${label}「${name}」`;
}

/** The address at which the subject can be opened, if it has one. */
export function subjectPath(subject: string): string | null {
  return parsed(subject)?.path ?? null;
}

export function fieldName(field: string): string {
  return CONFIG.audit_fields[field] ?? field;
}

/** The log sorts its keys by the alphabet; people read them in the order of the configuration. */
export function inReadingOrder<T extends { field: string }>(changes: T[]): T[] {
  const order = Object.keys(CONFIG.audit_fields);
  const place = ({ field }: T) => (order.includes(field) ? order.indexOf(field) : order.length);
  return [...changes].sort((one, other) => place(one) - place(other));
}
