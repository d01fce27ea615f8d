import { expect, test } from "vitest";
import { importReason, nameInRow, statusName, template } from "./import";

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
