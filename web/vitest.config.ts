import preact from "@preact/preset-vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// Most files are pure and run without a DOM, because setting one up takes longer than their tests. A file that needs
// one says so in its first line: `// @vitest-environment happy-dom`.
function project(name: string, plugins: NonNullable<TestProjectInlineConfiguration["plugins"]>): TestProjectInlineConfiguration {
  return {
    plugins,
    test: { name, root: name, environment: "node", include: ["**/*.test.{ts,tsx}"], restoreMocks: true },
  };
}

export default defineConfig({
  test: {
    pool: "threads",
    projects: [project("api", []), project("admin", [react()]), project("member", [preact()]), project("phones", [preact()])],
  },
});
