// Fails when the built console uses a Mantine component whose styles are not in admin/src/mantine.css. Mantine marks
// each styled part with a class such as `m_77c9d27d`, which stands in its code and in its styles alike.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const assets = fileURLToPath(new URL("../../src/tsudoi/static/admin/assets/", import.meta.url));
const styles = fileURLToPath(new URL("../node_modules/@mantine/core/styles/", import.meta.url));

/** @param {string} folder @param {string} ending */
const textOf = (folder, ending) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(folder + file, "utf8"))
    .join("\n");

/** @param {string} text */
const classesIn = (text) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));

const used = classesIn(textOf(assets, ".js"));
const styled = classesIn(textOf(assets, ".css"));
const components = readdirSync(styles).filter((file) => file.endsWith(".css") && !file.endsWith(".layer.css"));
const missing = components.filter((file) => {
  const offered = classesIn(readFileSync(styles + file, "utf8"));
  return [...offered].some((name) => used.has(name) && !styled.has(name));
});

if (missing.length > 0) {
  console.error(`admin/src/mantine.css lacks the styles of what the console uses: ${missing.join(", ")}`);
  process.exitCode = 1;
} else {
  console.log(`Mantine's styles are complete: ${used.size} parts in use.`);
}
