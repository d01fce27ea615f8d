import { describe, expect, test } from "vitest";
import { addressLine, parseAddresses, pastedProblem } from "./addresses";

const people = (text: string) => parseAddresses(text).people.map(({ name, email }) => [name, email]);
const reasons = (text: string) => parseAddresses(text).wrong.map(({ reason }) => reason);

describe("addresses that are pasted", () => {
  test.each([
    ["山田 太郎 <yamada@example.jp>", "山田 太郎", "yamada@example.jp"],
    ['"山田, 太郎" <yamada@example.jp>', "山田, 太郎", "yamada@example.jp"],
    ["山田　太郎　yamada@example.jp", "山田 太郎", "yamada@example.jp"],
    ["yamada@example.jp", "yamada", "yamada@example.jp"],
    ["<yamada@example.jp>", "yamada", "yamada@example.jp"],
    ["佐藤＜sato＠example.jp＞", "佐藤", "sato@example.jp"],
    ["mailto:sato@example.jp", "sato", "sato@example.jp"],
    ["佐藤 o'neil+board@mail.example.co.jp", "佐藤", "o'neil+board@mail.example.co.jp"],
  ])("%s is read as one person", (text, name, email) => {
    expect(people(text)).toEqual([[name, email]]);
    expect(reasons(text)).toEqual([]);
  });

  test("are separated by commas, semicolons and line ends", () => {
    expect(people("A <a@x.jp>, B <b@x.jp>; C <c@x.jp>\r\nd@x.jp、\n\n  e@x.jp").map(([, email]) => email)).toEqual(["a@x.jp", "b@x.jp", "c@x.jp", "d@x.jp", "e@x.jp"]);
  });

  test("count once, whatever the case", () => {
    expect(parseAddresses("Raj@x.jp\nraj@X.jp")).toMatchObject({ people: [{ email: "Raj@x.jp" }], twice: 1, wrong: [] });
  });

  test.each([
    ["山田 太郎", "メールアドレスがありません"],
    ["a@x.jp b@x.jp", "アドレスが2つ続いています。改行かコンマで区切ってください"],
    ["a@localhost", "メールアドレスの形になっていません"],
    ["a..b@x.jp", "「.」が続いているか、端にあります"],
    ["山田@日本", "メールアドレスの形になっていません"],
    [`${"あ".repeat(101)} <a@x.jp>`, "名前は100文字までです"],
    [`${"a".repeat(250)}@example.jp`, "メールアドレスが長すぎます"],
  ])("%s is shown with the reason", (text, reason) => {
    expect(people(text)).toEqual([]);
    expect(reasons(text)).toEqual([reason]);
  });

  test("a quotation mark that nobody closed does not swallow the next lines", () => {
    expect(people('"山田 <a@x.jp>\nb@x.jp')).toHaveLength(2);
  });

  test("are written so that they can be read again", () => {
    const written = [{ name: "山田, 太郎", email: "a@x.jp" }, { name: "佐藤", email: "b@x.jp" }].map(addressLine).join("\n");
    expect(people(written)).toEqual([["山田, 太郎", "a@x.jp"], ["佐藤", "b@x.jp"]]);
  });

  test("more than the server takes at once are refused with the number", () => {
    const lines = (count: number) => parseAddresses(Array.from({ length: count }, (_, number) => `p${number}@x.jp`).join("\n"));
    expect(pastedProblem(lines(500))).toBeNull();
    expect(pastedProblem(lines(501))).toContain("いま501人分");
    expect(pastedProblem(parseAddresses("a@x.jp\n山田"))).toContain("読み取れないものが1個");
  });
});
