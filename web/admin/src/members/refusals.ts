import type { Sync } from "./queries";

export interface RefusedRow {
  row: string;
  reasons: string[];
}

/** The command says each reason in Japanese and in English; the office reads the first. */
export function refusedRows(sync: Pick<Sync, "refusals">): RefusedRow[] {
  return sync.refusals.map((refusal) => ({
    row: String(refusal["row"] ?? "?"),
    reasons: String(refusal["reason"] ?? "")
      .split("; ")
      .map((reason) => reason.split(/\s*\/ /)[0]?.trim() ?? "")
      .filter((reason) => reason !== ""),
  }));
}

/** `sheet:1AbC…` is the office's spreadsheet; anything else is the name of a file. */
export function sourceName(source: string): string {
  return source.startsWith("sheet") ? "スプレッドシート" : `ファイル「${source}」`;
}
