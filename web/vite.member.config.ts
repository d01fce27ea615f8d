import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { buildDefaults, demoConfiguration, productServer } from "./vite.shared.ts";

export default defineConfig({
  root: "member",
  base: "/liff/",
  plugins: [preact(), demoConfiguration()],
  server: productServer ?? {},
  // LINE's own browser is the system web view; iOS 15 and Android's evergreen one cover the members' phones.
  build: { ...buildDefaults, target: ["chrome90", "safari15"], outDir: "../../src/tsudoi/static/member" },
});
