import type { ImportRow, ImportStatus } from "../booking/wire";

export const IMPORT_STATUSES: readonly ImportStatus[] = ["created", "skippedExisting", "skippedInvalid", "duplicateInFile"];

export const IMPORT_NAMES: Record<ImportStatus, string> = {
  created: "登録する",
  skippedExisting: "登録済み",
  skippedInvalid: "不備あり",
  duplicateInFile: "ファイル内で重複",
};

/** After the import the same rows are told in the past. */
export function statusName(status: ImportStatus, applied: boolean): string {
  return status === "created" && applied ? "登録しました" : IMPORT_NAMES[status];
}

const REASONS: Record<string, string> = {
  STAFF_ID_REQUIRED: "職員番号が空です",
  STAFF_ID_INVALID: "職員番号が数字ではありません",
  NAME_REQUIRED: "名前が空です",
  DEPARTMENT_REQUIRED: "部署が空です",
  DEPARTMENT_UNKNOWN: "登録されていない部署です",
  UNKNOWN_DEPARTMENT: "登録されていない部署です",
  DEPARTMENT_INACTIVE: "使わなくなった部署です",
  INACTIVE_DEPARTMENT: "使わなくなった部署です",
  JOB_TITLE_REQUIRED: "職種が空です",
  ALREADY_EXISTS: "同じ職員番号の方がいます",
  EXISTS: "同じ職員番号の方がいます",
  SELF_REGISTERED: "本人が先に登録しています",
  DUPLICATE_IN_FILE: "同じ職員番号が、このファイルに2回以上あります",
  DUPLICATE: "同じ職員番号が、このファイルに2回以上あります",
};

export function importReason(code: string): string {
  return REASONS[code] ?? code;
}

/** The name as the file has it, whatever the file calls its columns. */
export function nameInRow({ input }: Pick<ImportRow, "input">): string {
  const named = Object.entries(input).find(([column]) => /^(名前|氏名|name|fullName)/i.test(column))?.[1];
  return named || [input["姓"] ?? input["familyName"], input["名"] ?? input["givenName"]].filter(Boolean).join(" ");
}

export const TEMPLATE_NAME = "職員の取り込み.csv";

/** An example with the four columns that are needed. Excel reads it because it begins with a byte order mark. */
export function template(): Blob {
  const lines = ["名前(漢字),本部ID(staffId),部署(コード),職種", "山田 太郎,446752,REHA,理学療法士", ""];
  return new Blob(["\ufeff", lines.join("\r\n")], { type: "text/csv" });
}
