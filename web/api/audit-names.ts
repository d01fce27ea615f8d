/** How the log's codes are called for people. Each part of the product names its own. */
export interface AuditNames {
  /** By code, such as `EVENT_CREATE`. */
  audit_actions: Readonly<Record<string, string>>;
  /** The actions in the groups in which somebody looks for them; an action that is in none of them is listed by itself. */
  audit_groups: readonly { label: string; actions: readonly string[] }[];
  /** By the kind in front of the id (`event:7`), or by the whole subject (`members`). `path` is where it can be opened. */
  audit_subjects: Readonly<Record<string, { label: string; path?: string | null }>>;
  /** Those who act without being an administrator. */
  audit_actors: Readonly<Record<string, string>>;
  /** The fields of what was changed, in the order in which people read them. */
  audit_fields: Readonly<Record<string, string>>;
}
