type Fields = Record<string, unknown> | null;

export interface Change {
  field: string;
  /** Whether there was a state before at all; a new thing has none. */
  had: boolean;
  old: unknown;
  new: unknown;
}

export function changesOf(before: Fields, after: Fields): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({ field, had: before !== null, old: before?.[field], new: after?.[field] }))
    .filter((change) => JSON.stringify(change.old) !== JSON.stringify(change.new));
}

export function inWords(value: unknown): string {
  if (value === undefined || value === null || value === "") return "（なし）";
  if (typeof value === "boolean") return value ? "はい" : "いいえ";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
