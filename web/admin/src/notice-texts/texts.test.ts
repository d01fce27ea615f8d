import { expect, test } from "vitest";
import { inserted } from "./inserting";
import { textsSearch } from "./search";

test("a placeholder goes where the cursor is, and takes the place of what is selected", () => {
  expect(inserted("様", 0, 0, "氏名")).toEqual({ text: "{氏名}様", caret: 4 });
  expect(inserted("日時：未定です", 3, 5, "日時")).toEqual({ text: "日時：{日時}です", caret: 7 });
});

test("the address names one of the texts", () => {
  expect([textsSearch({ key: "MOVED" }), textsSearch({ key: "OTHER" })]).toEqual([{ key: "MOVED" }, {}]);
});
