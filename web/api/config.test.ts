// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { BadPageConfig, readConfig } from "./config";

function page(content: string): Document {
  const meta = document.createElement("meta");
  meta.name = "tsudoi-config";
  meta.content = content;
  const made = document.implementation.createHTMLDocument("");
  made.head.append(meta);
  return made;
}

describe("readConfig", () => {
  test("reads what the server wrote", () => {
    const config = { liff_adapter: "sandbox", liff_id: "1-a", version: "0.1.0" };
    expect(readConfig(page(JSON.stringify(config)))).toEqual(config);
  });

  test("takes everything but the sandbox for the real LINE", () => {
    expect(readConfig(page('{"liff_adapter":"Sandbox","liff_id":"1-a"}')).liff_adapter).toBe("line");
  });

  test("refuses a page that the server has not filled in", () => {
    expect(() => readConfig(page("__TSUDOI_CONFIG__"))).toThrow(BadPageConfig);
  });
});
