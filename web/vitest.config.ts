import preact from "@preact/preset-vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

// A busy machine may take long, and no test here waits for a time, so the limits are wide.
// Most files are pure and run without a DOM, because setting one up takes longer than their tests. A file that needs
// one says so in its first line: `// @vitest-environment happy-dom`.
// The files of one worker share its modules (`isolate: false`), because to load them for each file costs as much as all
// tests together. So a file leaves nothing behind: no state in a module, no stubbed global.
function project(name: string, plugin: "react" | "preact" | null, base = "/"): TestProjectInlineConfiguration {
  return {
    plugins: plugin === "react" ? [react()] : plugin === "preact" ? [preact()] : [],
    test: { name, root: name, environment: "node", include: ["**/*.test.{ts,tsx}"], restoreMocks: true, unstubGlobals: true, isolate: false, testTimeout: 60_000, hookTimeout: 60_000, env: { BASE_URL: base } },
  };
}

export default defineConfig({
  test: {
    pool: "threads",
    projects: [
      project("api", null),
      project("admin", "react"),
      project("kit", "preact", "/phone/"),
      project("member", "preact", "/liff/"),
      project("phones", "preact"),
      project("staff", "preact", "/staff/"),
    ],
  },
});
