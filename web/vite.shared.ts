import type { Plugin, UserConfig } from "vite";

/** Where the product and the sandbox answer while a developer runs a Vite dev server in front of them. */
const PRODUCT = process.env["TSUDOI_PRODUCT_URL"] ?? "http://127.0.0.1:8000";
export const SANDBOX = process.env["TSUDOI_SANDBOX_URL"] ?? "http://127.0.0.1:8001";

/**
 * The server writes its configuration into index.html when it serves the page. A Vite dev server
 * has no such server behind its pages, so it fills in what `tsudoi demo` would.
 */
export function demoConfiguration(): Plugin {
  const content = JSON.stringify({ liff_adapter: "sandbox", liff_id: "demo", version: "dev", command: ".venv/bin/tsudoi" });
  return {
    name: "tsudoi-demo-configuration",
    apply: "serve",
    transformIndexHtml: (html) => html.replace("__TSUDOI_CONFIG__", content.replaceAll('"', "&quot;")),
  };
}

export const productServer: UserConfig["server"] = { proxy: { "/api": PRODUCT, "/auth": PRODUCT, "/media": PRODUCT } };

export const buildDefaults = {
  emptyOutDir: true,
  // The strict content security policy allows no inline script and no data: script; assets stay files.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
} satisfies UserConfig["build"];
