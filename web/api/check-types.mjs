// Fails when schema.d.ts is not what openapi.json generates: the screens would then be checked
// against an API that the server no longer has.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "tsudoi-types-"));
try {
  const fresh = join(scratch, "schema.d.ts");
  const generator = join(web, "node_modules/openapi-typescript/bin/cli.js");
  execFileSync(process.execPath, [generator, join(web, "api/openapi.json"), "--output", fresh], { stdio: "pipe" });
  if (readFileSync(fresh, "utf8") !== readFileSync(join(web, "api/schema.d.ts"), "utf8")) {
    console.error("web/api/schema.d.ts does not match web/api/openapi.json. Run `npm run types` in web/ and commit the result.");
    process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
