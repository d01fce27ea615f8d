import { describe, expect, it } from "vitest";
import type { SandboxConfig } from "../client/types";
import { destinationOf, liffUrl, sameSiteAddress } from "./link-destination";

const config: SandboxConfig = {
  liff_id: "1234-abcd",
  liff_base: "http://127.0.0.1:8001/liff",
  account: { name: "集い 公式" },
  product_url: "http://127.0.0.1:8000",
};

describe("destinationOf", () => {
  it("opens a link of the sandbox's LIFF base as this person", () => {
    expect(destinationOf("http://127.0.0.1:8001/liff/1234-abcd/events/5", config, "U1")).toEqual({
      kind: "liff",
      url: "http://127.0.0.1:8001/liff/1234-abcd/events/5?as=U1",
    });
  });

  it("rewrites LINE's own LIFF link and keeps query and fragment", () => {
    expect(destinationOf("https://liff.line.me/1234-abcd/events/5?tab=a#b", config, "U1").url).toBe(
      "http://127.0.0.1:8001/liff/1234-abcd/events/5?tab=a&as=U1#b",
    );
  });

  it("opens the home page for a link without a path", () => {
    expect(destinationOf("https://liff.line.me/1234-abcd", config, "U1").url).toBe(
      "http://127.0.0.1:8001/liff/1234-abcd/?as=U1",
    );
  });

  it("never lets a message choose whom the page is opened as", () => {
    expect(destinationOf("https://liff.line.me/1234-abcd/?as=U2", config, "U1").url).toBe(
      "http://127.0.0.1:8001/liff/1234-abcd/?as=U1",
    );
  });

  it("takes localhost and 127.0.0.1 for the same machine", () => {
    expect(destinationOf("http://localhost:8001/liff/1234-abcd/", config, "U1").kind).toBe("liff");
  });

  it("does not mistake another LIFF app for this one", () => {
    expect(destinationOf("https://liff.line.me/1234-abcdef/", config, "U1").kind).toBe("tab");
  });

  it("opens the product and other loopback pages inside the phone", () => {
    expect(destinationOf("http://127.0.0.1:8000/media/a.jpg", config, "U1").kind).toBe("page");
    expect(destinationOf("http://localhost:9999/", config, "U1").kind).toBe("page");
  });

  it("opens the rest of the web in a tab and scripts nowhere", () => {
    expect(destinationOf("https://example.jp/", config, "U1").kind).toBe("tab");
    expect(destinationOf("javascript:alert(1)", config, "U1").kind).toBe("nowhere");
  });
});

describe("liffUrl", () => {
  it("is the member's home page unless told otherwise", () => {
    expect(liffUrl(config, "U1")).toBe("http://127.0.0.1:8001/liff/1234-abcd/?as=U1");
  });
});

describe("sameSiteAddress", () => {
  it("moves from localhost to the name by which the product goes", () => {
    expect(sameSiteAddress("http://localhost:8001/?a=1", config)).toBe("http://127.0.0.1:8001/?a=1");
  });

  it("stays where it is otherwise", () => {
    expect(sameSiteAddress("http://127.0.0.1:8001/", config)).toBeNull();
    expect(sameSiteAddress("https://tsudoi.example.jp/", config)).toBeNull();
    expect(sameSiteAddress("http://localhost:8001/", { ...config, product_url: "https://example.jp" })).toBeNull();
  });
});
