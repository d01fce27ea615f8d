import preact from "@preact/preset-vite";
import { defineConfig } from "vite";
import { buildDefaults, demoConfiguration, productServer } from "./vite.shared.ts";

export default defineConfig({
  root: "staff",
  base: "/staff/",
  plugins: [preact(), demoConfiguration()],
  server: productServer ?? {},
  // The same phones as the member app, and the shared PCs of the wards.
  build: { ...buildDefaults, target: ["chrome90", "safari15"], outDir: "../../src/tsudoi/static/staff" },
});
