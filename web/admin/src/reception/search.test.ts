import { expect, test } from "vitest";
import { codeOf, receptionSearch } from "./search";

test("a code may come as the whole address of the QR code", () => {
  expect(codeOf("https://example.jp/admin/reception?code=501-0123abcd")).toBe("501-0123abcd");
  expect(codeOf(" ５０１-0123abcd ")).toBe("501-0123abcd");
  expect([receptionSearch({ code: "501-ab" }), receptionSearch({ code: " " }), receptionSearch({})]).toEqual([{ code: "501-ab" }, {}, {}]);
});
