// Prints what each front end costs on the wire (gzipped): its entry, which everybody loads, and each lazy part, which is
// loaded when it is opened. It fails above the budgets and names the files, because members are on phones, often on slow
// networks, and size creeps in unseen.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Budgets in kB for scripts and for styles. The LIFF SDK is a lazy part: the sandbox's phones do without it. */
const FRONT_ENDS = [
  { name: "admin", folder: "static/admin", entry: 185, lazy: 40, styles: 25 },
  { name: "member", folder: "static/member", entry: 30, lazy: 30, styles: 5 },
  { name: "staff", folder: "static/staff", entry: 30, lazy: 30, styles: 5 },
  { name: "phones", folder: "sandbox/static", entry: 40, lazy: 20, styles: 10 },
];

/** @typedef {{ name: string, files: string[] }} Part */

/** @param {string} text @param {RegExp} pattern @returns {string[]} */
const found = (text, pattern) => Array.from(text.matchAll(pattern), (match) => match[1] ?? "");

/** What index.html loads at once: the entry, what it imports, and the styles. @param {string} html */
const entryFiles = (html) => found(html, /(?:src|href)="[^"]*\/(assets\/[^"]+\.(?:js|css))"/g);

/** What each `import()` of a script loads. Vite lists the files of each in the script itself. @param {string} script @returns {Part[]} */
function lazyParts(script) {
  const files = found(script.match(/m\.f=\[([^\]]*)\]/)?.[1] ?? "", /"([^"]+)"/g);
  const imports = script.matchAll(/import\(`\.\/([^`]+)`\)(?:\.then\([^)]*\))?(?:,__vite__mapDeps\(\[([\d,]*)\])?/g);
  return Array.from(imports, ([, file = "", places]) => ({
    name: file.replace(/-.{8}\.js$/, ""),
    files: places ? places.split(",").map((place) => files[Number(place)] ?? "") : [`assets/${file}`],
  }));
}

/** @param {number} bytes */
const kilo = (bytes) => (bytes / 1000).toFixed(1).padStart(6);

/** One column of a row: the weight of its files against a budget. @param {string} root @param {string[]} files @param {number} budget */
function weigh(root, files, budget) {
  const sizes = files.map((file) => ({ file, bytes: gzipSync(readFileSync(root + file)).length }));
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const tooLarge = bytes > budget * 1000 ? sizes.sort((a, b) => b.bytes - a.bytes) : [];
  return { text: `${kilo(bytes)} of ${String(budget).padStart(3)}`, tooLarge };
}

/** @param {string} root @param {Part} part @param {{ scripts: number, styles: number }} budgets */
function report(root, { name, files }, budgets) {
  const scripts = weigh(root, files.filter((file) => file.endsWith(".js")), budgets.scripts);
  const styles = weigh(root, files.filter((file) => file.endsWith(".css")), budgets.styles);
  const tooLarge = [...scripts.tooLarge, ...styles.tooLarge];
  console.log(`${name.padEnd(24)} ${scripts.text}   ${styles.text}${tooLarge.length > 0 ? "   OVER THE BUDGET" : ""}`);
  for (const file of files) weighed.add(root + file);
  for (const { file, bytes } of tooLarge) console.error(`    ${file} ${kilo(bytes)} kB`);
  if (tooLarge.length > 0) process.exitCode = 1;
}

/** The lazy parts that a script opens, and those that they open in turn. @param {string} root @param {string[]} loaded @param {{ scripts: number, styles: number }} budgets */
function reportLazy(root, loaded, budgets, indent = "  ") {
  const scripts = loaded.filter((file) => file.endsWith(".js")).map((file) => readFileSync(root + file, "utf8"));
  for (const { name, files } of scripts.flatMap(lazyParts)) {
    if (reported.has(root + name)) continue;
    reported.add(root + name);
    const added = files.filter((file) => !seenAtOnce(root).includes(file) && !loaded.includes(file));
    report(root, { name: indent + name, files: added }, budgets);
    reportLazy(root, added, budgets, `${indent}  `);
  }
}

/** @type {Set<string>} */
const reported = new Set();
/** @type {Set<string>} */
const weighed = new Set();
/** @param {string} root */
const seenAtOnce = (root) => entryFiles(readFileSync(`${root}index.html`, "utf8"));

console.log(`${"kB gzipped".padEnd(24)}    scripts         styles`);
for (const { name, folder, entry, lazy, styles } of FRONT_ENDS) {
  const root = fileURLToPath(new URL(`../src/tsudoi/${folder}/`, import.meta.url));
  if (!existsSync(`${root}index.html`)) continue;
  const atOnce = seenAtOnce(root);
  report(root, { name: `${name}, entry`, files: atOnce }, { scripts: entry, styles });
  reportLazy(root, atOnce, { scripts: lazy, styles });
  // Vite's own writing of lazy imports may change; a file that none of the rows counts shows it.
  for (const file of readdirSync(`${root}assets`)) {
    if (!/\.(js|css)$/.test(file) || weighed.has(`${root}assets/${file}`)) continue;
    console.error(`assets/${file} of ${name} belongs to no row: sizes.mjs does not see how it is loaded`);
    process.exitCode = 1;
  }
}
