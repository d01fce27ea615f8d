import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { buildDefaults, SANDBOX } from "./vite.shared.ts";

export default defineConfig({
  root: "phones",
  base: "/",
  plugins: [preact()],
  server: { proxy: { "/_sandbox": SANDBOX, "/liff": SANDBOX } },
  build: { ...buildDefaults, outDir: "../../src/tsudoi/sandbox/static" },
});
