import preact from "@preact/preset-vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

function project(name: string, plugins: NonNullable<TestProjectInlineConfiguration["plugins"]>): TestProjectInlineConfiguration {
  return {
    plugins,
    test: { name, root: name, environment: "happy-dom", include: ["**/*.test.{ts,tsx}"], restoreMocks: true },
  };
}

export default defineConfig({
  test: {
    projects: [project("api", []), project("admin", [react()]), project("member", [preact()]), project("phones", [preact()])],
  },
});
