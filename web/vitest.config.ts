import preact from "@preact/preset-vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

type Plugins = NonNullable<TestProjectInlineConfiguration["plugins"]>;

/** Files that end in `.test.ts` test pure code, without a document; what needs one ends in `.test.tsx`. */
function projects(name: string, plugins: Plugins): TestProjectInlineConfiguration[] {
  // A busy machine may take long; nothing here waits for a time.
  const shared = { root: name, restoreMocks: true, testTimeout: 60_000, hookTimeout: 60_000 };
  return [
    { plugins, test: { ...shared, name: `${name}:pure`, environment: "node", include: ["**/*.test.ts"] } },
    { plugins, test: { ...shared, name: `${name}:dom`, environment: "happy-dom", include: ["**/*.test.tsx"] } },
  ];
}

export default defineConfig({
  test: {
    projects: [
      ...projects("api", []),
      ...projects("admin", [react()]),
      ...projects("member", [preact()]),
      ...projects("phones", [preact()]),
    ],
  },
});
