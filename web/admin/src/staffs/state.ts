import type { Staff } from "../booking/shapes";

/** Somebody registered with this number, and nobody has checked yet that it is the right person. */
export function isUnconfirmed({ source, confirmedAt }: Pick<Staff, "source" | "confirmedAt">): boolean {
  return source === "self" && confirmedAt === null;
}

const SOURCES: Record<string, string> = { office: "事務局が登録", import: "CSVで登録", self: "本人が登録" };

export function sourceName(source: string): string {
  return SOURCES[source] ?? source;
}
