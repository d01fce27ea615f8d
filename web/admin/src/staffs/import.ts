import type { Department, ImportResult, ImportRow, ImportStatus } from "../booking/shapes";

export const IMPORT_STATUSES: readonly ImportStatus[] = ["created", "skippedExisting", "skippedInvalid", "duplicateInFile"];

export const IMPORT_NAMES: Record<ImportStatus, string> = {
  created: "登録する",
  skippedExisting: "登録済み",
  skippedInvalid: "不備あり",
  duplicateInFile: "ファイル内で重複",
};

/** So many departments can be made by one file. More are rather a column of something else under their heading. */
export const MOST_NEW_DEPARTMENTS = 500;

/** After the import the same rows are told in the past. */
export function statusName(status: ImportStatus, applied: boolean): string {
  return status === "created" && applied ? "登録しました" : IMPORT_NAMES[status];
}

// `imports/rules/rejected.py` says the same in the file of refused rows.
const REASONS: Record<string, string> = {
  ALREADY_EXISTS: "同じ職員番号の方がいます",
  SELF_REGISTERED: "本人が先に登録しています",
  DUPLICATE_IN_FILE: "同じ職員番号が、このファイルに2回以上あります",
  TOO_MANY_CELLS: "列の数が1行目より多い行です",
  DEPARTMENT_UNKNOWN: "登録されていない部署です",
  DEPARTMENT_INACTIVE: "使わなくなった部署です",
  DEPARTMENT_AMBIGUOUS: "同じ名前の部署がいくつもあります。部署のコードで書いてください",
  DEPARTMENT_INVALID_FORMAT: "部署のコードに使えない文字が入っています",
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

/** The reading as the file has it. */
export function kanaInRow({ input }: Pick<ImportRow, "input">): string {
  return [input["familyNameKana"], input["givenNameKana"]].filter(Boolean).join(" ") || (input["kana"] ?? "");
}

/** What people read for the department of a row, its code, and whether the import makes it. */
export interface RowDepartment {
  name: string;
  code: string;
  isNew: boolean;
}

/** Finds the department of a row among those that are registered and those that the import would make. */
export function departmentFinder(registered: readonly Pick<Department, "id" | "name">[], result: ImportResult, creates: boolean): (row: Pick<ImportRow, "input">) => RowDepartment {
  const known = new Map<string, RowDepartment>();
  if (creates) for (const { code, name } of result.unknownDepartments) known.set(folded(code), { code, name, isNew: true });
  // Once they are made they are registered as well, and the result still says that this import made them.
  for (const { id, name } of registered) if (!known.has(folded(id))) known.set(folded(id), { code: id, name, isNew: false });
  return ({ input }) => {
    const code = input["departmentId"];
    if (code === undefined) return { name: input["departmentName"] ?? "", code: "", isNew: creates && known.get(folded(input["departmentName"] ?? ""))?.isNew === true };
    return known.get(folded(code)) ?? { name: input["departmentName"] || code, code, isNew: false };
  };
}

/** A registered department that has the name of an unknown one: perhaps the file only writes its code in another way. */
export function namesake(registered: readonly Pick<Department, "id" | "name">[], name: string): string | null {
  const found = registered.find((one) => folded(one.name) === folded(name));
  return found ? found.id : null;
}

/** Whether the column of codes has names: to make departments of them would make every department twice. */
export function hasNamesForCodes(registered: readonly Pick<Department, "id" | "name">[], result: ImportResult): boolean {
  return result.unknownDepartments.some((one) => namesake(registered, one.code) !== null);
}

/** Codes are the same in any width and case (`folded` in `departments/rules.py`). */
function folded(code: string): string {
  return code.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
}

/** Reasons with their rows, the most frequent first. */
export function reasonCounts(rows: readonly Pick<ImportRow, "status" | "reason">[]): [reason: string, count: number][] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.status !== "skippedInvalid" && row.status !== "duplicateInFile") continue;
    for (const code of row.reason) counts.set(importReason(code), (counts.get(importReason(code)) ?? 0) + 1);
  }
  return [...counts].sort((one, other) => other[1] - one[1]);
}

/** Warnings of one kind: what they say, each sentence once, and which rows they are about (none: the heading). */
export interface WarningGroup {
  code: string;
  messages: string[];
  rows: number[];
}

export function warningGroups(warnings: ImportResult["summary"]["warnings"]): WarningGroup[] {
  const groups = new Map<string, WarningGroup>();
  for (const { code, message, rowNumber } of warnings) {
    const group = groups.get(code) ?? { code, messages: [], rows: [] };
    groups.set(code, group);
    if (!group.messages.includes(message)) group.messages.push(message);
    if (rowNumber > 1) group.rows.push(rowNumber);
  }
  return [...groups.values()];
}

/** The button says what happens: the departments are made first, and then the people. A line may break between the parts. */
export function applyLabel(result: ImportResult, creates: boolean): string[] {
  const departments = creates ? result.unknownDepartments.length : 0;
  const people = `${result.summary.created.toLocaleString("ja-JP")}人を登録する`;
  return departments > 0 ? [`部署${departments.toLocaleString("ja-JP")}件を作って`, people] : [people];
}

export const TEMPLATE_NAME = "職員の取り込み.csv";

/** An example with the four columns that are needed, and two that are good to have. Excel reads it because it begins with a byte order mark. */
export function template(): Blob {
  const lines = ["名前(漢字),本部ID(staffId),部署(コード),職種,フリガナ,部署名", "山田 太郎,446752,REHA,理学療法士,ヤマダ タロウ,リハビリテーション科", ""];
  return new Blob(["\ufeff", lines.join("\r\n")], { type: "text/csv" });
}
