// Copies the typeface of the drawn pictures out of its package, with the licence that has to travel with it.
import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const to = join(here, "..", "..", "src", "tsudoi", "static", "fonts");
const from = dirname(createRequire(import.meta.url).resolve("@expo-google-fonts/noto-sans-jp/package.json"));

mkdirSync(to, { recursive: true });
copyFileSync(join(from, "700Bold", "NotoSansJP_700Bold.ttf"), join(to, "NotoSansJP-Bold.ttf"));
copyFileSync(join(from, "LICENSE_FONT"), join(to, "OFL.txt"));
