import { formatDateTime } from "../../../api/times";
import type { Names } from "./names";

type Fields = Record<string, unknown> | null;

export interface Change {
  field: string;
  /** Whether there was a state before at all; a new thing has none. */
  had: boolean;
  old: unknown;
  new: unknown;
}

/** Lists of what came or went: they have no state before, wherever the log keeps them. */
const LISTS = new Set(["added", "removed"]);

export function changesOf(before: Fields, after: Fields): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => {
      if (LISTS.has(field)) return { field, had: false, old: undefined, new: after?.[field] ?? before?.[field] };
      return { field, had: before !== null, old: before?.[field], new: after?.[field] };
    })
    .filter((change) => JSON.stringify(change.old) !== JSON.stringify(change.new))
    .filter((change) => !(LISTS.has(change.field) && Array.isArray(change.new) && change.new.length === 0));
}

const STATUSES: Record<string, string> = { attend: "出席", absent: "欠席", pending: "未回答" };
const FILES: Record<string, string> = { latest: "最新の回答", history: "回答の履歴" };
const COUNTS = new Set(["targets", "people", "told"]);
const MEMBERS = new Set(["added", "removed", "member_ids", "member_id"]);
const MOMENTS = new Set(["held_at", "as_of"]);

export function inWords(value: unknown, field = "", names?: Names): string {
  if (value === undefined || value === null || value === "") return "（なし）";
  if (Array.isArray(value)) return value.length === 0 ? "（なし）" : value.map((one) => inWords(one, field, names)).join("、");
  if (typeof value === "boolean") return value ? "はい" : "いいえ";
  if (MEMBERS.has(field)) return names?.member(Number(value)) ?? `会員 ${String(value)}`;
  if (COUNTS.has(field) && typeof value === "number") return `${value.toLocaleString("ja-JP")}人`;
  if (MOMENTS.has(field) && typeof value === "string") return formatDateTime(value) || value;
  if (field === "status" && typeof value === "string") return STATUSES[value] ?? value;
  if (field === "file" && typeof value === "string") return fileInWords(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** `latest.csv` is 最新の回答（CSV）. */
function fileInWords(file: string): string {
  const [what = "", ending = ""] = file.split(".");
  return `${FILES[what] ?? what}（${ending.toUpperCase()}）`;
}

const REASONS: Record<string, string> = { name_key: "名前が名簿と同じだったため（自動）", sheet: "シートにLINEのIDがあったため（同期）" };

/** The system's own reasons are codes; those of people are shown as they wrote them. */
export function reasonInWords(reason: string, action: string): string {
  if (action === "MEMBERS_SYNC") return reason.startsWith("sheet") ? "スプレッドシートから" : `ファイル「${reason}」から`;
  if (action === "WITHDRAW" && reason === "sheet") return "シートからいなくなったため（同期）";
  return REASONS[reason] ?? reason;
}
