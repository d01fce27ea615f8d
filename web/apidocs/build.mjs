// Copies Swagger UI out of its package: /api/docs loads nothing from elsewhere.
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import swagger from "swagger-ui-dist";

const here = dirname(fileURLToPath(import.meta.url));
const to = join(here, "..", "..", "src", "tsudoi", "static", "apidocs");
const from = swagger.getAbsoluteFSPath();

mkdirSync(to, { recursive: true });
for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) copyFileSync(join(from, name), join(to, name));
copyFileSync(join(here, "start.js"), join(to, "start.js"));
