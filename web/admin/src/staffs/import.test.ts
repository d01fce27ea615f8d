import { expect, test } from "vitest";
import { applyLabel, departmentFinder, hasNamesForCodes, importReason, kanaInRow, nameInRow, namesake, reasonCounts, statusName, template, warningGroups } from "./import";

test("the name is found whatever the file calls its column", () => {
  expect(nameInRow({ input: { "名前(漢字)": "山田 太郎" } })).toBe("山田 太郎");
  expect(nameInRow({ input: { 姓: "山田", 名: "太郎" } })).toBe("山田 太郎");
  expect(nameInRow({ input: {} })).toBe("");
});

test("what was only planned and what was done have different words", () => {
  expect([statusName("created", false), statusName("created", true), statusName("skippedExisting", true)]).toEqual(["登録する", "登録しました", "登録済み"]);
});

test("reasons are told in words, and one without words as it is", () => {
  expect([importReason("STAFF_ID_NOT_DIGITS"), importReason("DEPARTMENT_UNKNOWN"), importReason("EMAIL_INVALID_FORMAT"), importReason("SOMETHING_NEW")]).toEqual([
    "職員番号が半角の数字ではありません",
    "登録されていない部署です",
    "メールアドレスの形が正しくありません",
    "SOMETHING_NEW",
  ]);
});

test("the template opens in Excel and has the columns that are needed", async () => {
  const bytes = new Uint8Array(await template().arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode(bytes)).toContain("名前(漢字),本部ID(staffId),部署(コード),職種");
});

const ROW = { rowNumber: 2, staffId: "1", status: "created" as const, reason: [], input: { name: "一 一", departmentId: "５b", jobTitle: "医師" } };
const RESULT = {
  summary: { created: 1200, skippedExisting: 0, skippedInvalid: 0, duplicateInFile: 0, warnings: [] },
  rows: [ROW],
  unknownDepartments: [
    { code: "5B", name: "5階B病棟", rows: 898 },
    { code: "7C", name: "7C", rows: 2 },
  ],
  importBatchId: "",
};

test("a department is shown by its name, whoever knows it", () => {
  const registered = [{ id: "3A", name: "3階A病棟" }];
  const creating = departmentFinder(registered, RESULT, true);
  expect(creating(ROW)).toEqual({ code: "5B", name: "5階B病棟", isNew: true });
  expect(creating({ input: { departmentId: "3a" } })).toEqual({ code: "3A", name: "3階A病棟", isNew: false });
  const plain = departmentFinder(registered, RESULT, false);
  expect(plain(ROW)).toEqual({ code: "５b", name: "５b", isNew: false });
  expect(plain({ input: { departmentId: "9Z", departmentName: "救急" } })).toEqual({ code: "9Z", name: "救急", isNew: false });
});

test("a file without codes shows its names", () => {
  const found = departmentFinder([{ id: "N1", name: "内科" }], { ...RESULT, unknownDepartments: [{ code: "眼科", name: "眼科", rows: 1 }] }, true);
  expect(found({ input: { departmentName: "内科" } })).toEqual({ code: "", name: "内科", isNew: false });
  expect(found({ input: { departmentName: "眼科" } })).toEqual({ code: "", name: "眼科", isNew: true });
});

test("after the import its departments are still told as new", () => {
  const registered = [{ id: "5B", name: "5階B病棟" }];
  expect(departmentFinder(registered, RESULT, true)(ROW).isNew).toBe(true);
});

test("an unknown department with the name of a registered one is noticed", () => {
  const registered = [{ id: "NAIKA", name: "内科" }];
  expect([namesake(registered, " 内科"), namesake(registered, "外科")]).toEqual(["NAIKA", null]);
});

test("names in the column of codes are noticed", () => {
  const registered = [{ id: "NAIKA", name: "内科" }];
  const found = (code: string, name: string) => hasNamesForCodes(registered, { ...RESULT, unknownDepartments: [{ code, name, rows: 1 }] });
  expect([found("内科", "内科"), found("X1", "内科"), found("5B", "5階B病棟")]).toEqual([true, false, false]);
});

test("the button says what happens", () => {
  expect(applyLabel(RESULT, true)).toEqual(["部署2件を作って", "1,200人を登録する"]);
  expect(applyLabel(RESULT, false)).toEqual(["1,200人を登録する"]);
  expect(applyLabel({ ...RESULT, unknownDepartments: [] }, true)).toEqual(["1,200人を登録する"]);
});

test("reasons of refused rows are counted, the most frequent first", () => {
  const refused = (...reason: string[]) => ({ status: "skippedInvalid" as const, reason });
  const rows = [
    refused("STAFF_ID_REQUIRED"),
    refused("DEPARTMENT_UNKNOWN", "STAFF_ID_REQUIRED"),
    refused("STAFF_ID_REQUIRED"),
    { status: "duplicateInFile" as const, reason: ["DUPLICATE_IN_FILE"] },
    { status: "skippedExisting" as const, reason: ["ALREADY_EXISTS"] },
  ];
  expect(reasonCounts(rows)).toEqual([
    ["職員番号が空です", 3],
    ["登録されていない部署です", 1],
    ["同じ職員番号が、このファイルに2回以上あります", 1],
  ]);
});

test("a thousand warnings of one kind are one line", () => {
  const warnings = [
    { rowNumber: 1, code: "UNKNOWN_COLUMN", message: "「趣味」という列は使いません。" },
    { rowNumber: 1, code: "UNKNOWN_COLUMN", message: "「役割」という列は使いません。" },
    ...Array.from({ length: 1000 }, (_, index) => ({ rowNumber: index + 2, code: "NAME_NOT_SPLIT", message: "分けられません。" })),
  ];
  const groups = warningGroups(warnings);
  expect(groups.map((one) => [one.code, one.messages.length, one.rows.length])).toEqual([
    ["UNKNOWN_COLUMN", 2, 0],
    ["NAME_NOT_SPLIT", 1, 1000],
  ]);
});

test("the reading of a row is shown however the file writes it", () => {
  expect(kanaInRow({ input: { familyNameKana: "ヤマダ", givenNameKana: "ハナコ" } })).toBe("ヤマダ ハナコ");
  expect(kanaInRow({ input: { kana: "ヤマダ　ハナコ" } })).toBe("ヤマダ　ハナコ");
  expect(kanaInRow({ input: {} })).toBe("");
});
