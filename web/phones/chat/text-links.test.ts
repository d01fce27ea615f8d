import { describe, expect, it } from "vitest";
import { isWebAddress, splitLinks } from "./text-links";

describe("splitLinks", () => {
  it("leaves a text without links in one piece, line breaks included", () => {
    expect(splitLinks("こんにちは\nお元気ですか")).toEqual([{ text: "こんにちは\nお元気ですか" }]);
  });

  it("gives nothing for an empty text", () => {
    expect(splitLinks("")).toEqual([]);
  });

  it("ends a link where Japanese begins", () => {
    expect(splitLinks("詳細はhttps://example.jp/a?b=1をご覧ください。")).toEqual([
      { text: "詳細は" },
      { text: "https://example.jp/a?b=1", href: "https://example.jp/a?b=1" },
      { text: "をご覧ください。" },
    ]);
  });

  it("leaves the punctuation of the sentence outside", () => {
    expect(splitLinks("(see https://example.jp/a).").map((part) => part.text)).toEqual([
      "(see ",
      "https://example.jp/a",
      ").",
    ]);
  });

  it("keeps a bracket that the link itself opened", () => {
    expect(splitLinks("https://example.jp/a_(b)")[0]?.href).toBe("https://example.jp/a_(b)");
  });

  it("finds several links, one per line", () => {
    const links = splitLinks("http://a.jp/\nhttp://b.jp/").filter((part) => part.href);
    expect(links.map((part) => part.href)).toEqual(["http://a.jp/", "http://b.jp/"]);
  });

  it("makes no link of a scheme without an address", () => {
    expect(splitLinks("https://")).toEqual([{ text: "https://" }]);
  });

  it("loses no character", () => {
    const text = "a https://x.jp/). b\u2028http://y.jp/?q=%E3%81%82、c";
    expect(splitLinks(text).map((part) => part.text).join("")).toBe(text);
  });
});

describe("isWebAddress", () => {
  it("refuses scripts and other schemes", () => {
    expect(isWebAddress("javascript:alert(1)")).toBe(false);
    expect(isWebAddress("tel:0312345678")).toBe(false);
    expect(isWebAddress("http://127.0.0.1:8000/")).toBe(true);
  });
});
