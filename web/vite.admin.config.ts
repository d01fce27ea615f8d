import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { buildDefaults, demoConfiguration, productServer } from "./vite.shared.ts";

export default defineConfig({
  root: "admin",
  base: "/admin/",
  plugins: [react(), demoConfiguration()],
  server: productServer ?? {},
  build: { ...buildDefaults, outDir: "../../src/tsudoi/static/admin" },
});
