import type { ImportRow, ImportStatus } from "../booking/shapes";

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
  ALREADY_EXISTS: "同じ職員番号の方がいます",
  SELF_REGISTERED: "本人が先に登録しています",
  DUPLICATE_IN_FILE: "同じ職員番号が、このファイルに2回以上あります",
  TOO_MANY_CELLS: "列の数が1行目より多い行です",
  DEPARTMENT_UNKNOWN: "登録されていない部署です",
  DEPARTMENT_INACTIVE: "使わなくなった部署です",
};
const COLUMNS: Record<string, string> = { STAFF_ID: "職員番号", NAME: "名前", DEPARTMENT: "部署", JOB_TITLE: "職種", EMAIL: "メールアドレス" };
const PROBLEMS: Record<string, string> = {
  REQUIRED: "が空です",
  NOT_DIGITS: "が半角の数字ではありません",
  TOO_LONG: "が長すぎます",
  CONTROL_CHARACTER: "に使えない文字が入っています",
  INVALID_FORMAT: "の形が正しくありません",
};

/** `STAFF_ID_NOT_DIGITS` is the column and what is wrong with it. */
export function importReason(code: string): string {
  if (REASONS[code]) return REASONS[code];
  const [, column = "", problem = ""] = /^(STAFF_ID|NAME|DEPARTMENT|JOB_TITLE|EMAIL)_(.+)$/.exec(code) ?? [];
  return COLUMNS[column] && PROBLEMS[problem] ? COLUMNS[column] + PROBLEMS[problem] : code;
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
