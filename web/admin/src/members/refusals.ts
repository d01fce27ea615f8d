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

/** What to type on the server for the next sync: a file is named, because without it the command wants the spreadsheet. */
export function syncCommand(command: string, last: Pick<Sync, "source"> | null, hasSheet: boolean): string {
  const file = last !== null && !last.source.startsWith("sheet:") ? last.source : hasSheet ? null : "名簿.xlsx";
  return file === null ? `${command} members sync` : `${command} members sync --file ${typed(file)}`;
}

/** As a shell takes it: in quotes where it has spaces or signs that mean something to the shell. */
function typed(name: string): string {
  const safe = name.startsWith("-") ? `./${name}` : name;
  return /^[\p{L}\p{N}._/-]+$/u.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`;
}

/** `sheet:1AbC…` is the office's spreadsheet; anything else is the name of a file. */
export function sourceName(source: string): string {
  return source.startsWith("sheet:") ? "スプレッドシート" : `ファイル「${source}」`;
}
