// Prints what each front end costs on the wire (gzipped) and fails above the budgets: members are
// on phones, often on slow networks, and size creeps in unseen.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** @type {{ name: string, folder: string, ending: string, skip?: RegExp, budget?: number }[]} */
const ROWS = [
  { name: "member, JavaScript without the LIFF SDK", folder: "static/member", ending: ".js", skip: /^line-/, budget: 30_000 },
  { name: "member, JavaScript with the LIFF SDK", folder: "static/member", ending: ".js", budget: 60_000 },
  { name: "member, styles", folder: "static/member", ending: ".css", budget: 10_000 },
  { name: "admin, JavaScript", folder: "static/admin", ending: ".js", budget: 260_000 },
  { name: "admin, styles", folder: "static/admin", ending: ".css", budget: 60_000 },
  { name: "phones, JavaScript", folder: "sandbox/static", ending: ".js", budget: 40_000 },
  { name: "phones, styles", folder: "sandbox/static", ending: ".css", budget: 10_000 },
];

/** @param {string} folder @param {string} ending @param {RegExp | undefined} skip */
function gzipped(folder, ending, skip) {
  const assets = fileURLToPath(new URL(`../src/tsudoi/${folder}/assets/`, import.meta.url));
  if (!existsSync(assets)) return null;
  const files = readdirSync(assets).filter((file) => file.endsWith(ending) && !skip?.test(file));
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(assets + file)).length, 0);
}

for (const { name, folder, ending, skip, budget } of ROWS) {
  const bytes = gzipped(folder, ending, skip);
  if (bytes === null) continue;
  const verdict = budget === undefined ? "" : bytes <= budget ? `of ${budget / 1000} kB` : `OVER the ${budget / 1000} kB budget`;
  if (budget !== undefined && bytes > budget) process.exitCode = 1;
  console.log(`${name.padEnd(40)} ${(bytes / 1000).toFixed(1).padStart(7)} kB gzipped ${verdict}`);
}
