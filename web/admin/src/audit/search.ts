/** The filter stands in the address: an event can lead to its own history, and a reload keeps what is looked at. */
export interface AuditSearch {
  action?: string;
  actor?: string;
  subject?: string;
}

const LONGEST = 200;
const FIELDS = ["action", "actor", "subject"] as const;

export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const found: AuditSearch = {};
  for (const field of FIELDS) {
    const value = search[field];
    if (typeof value === "string" && value !== "" && value.length <= LONGEST) found[field] = value;
  }
  return found;
}

/** The same filter with one thing changed; an empty value takes it away. */
export function narrowed(search: AuditSearch, field: keyof AuditSearch, value: string): AuditSearch {
  const { [field]: _before, ...others } = search;
  return value === "" ? others : { ...others, [field]: value };
}

export function isNarrowed(search: AuditSearch): boolean {
  return FIELDS.some((field) => search[field] !== undefined);
}
