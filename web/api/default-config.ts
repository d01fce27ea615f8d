// What stands in the page's configuration where no server filled it in: the development servers and the tests. The
// file is written from the server's own contexts by `make types`, and a test compares the two.
import type { OfficeConfig } from "./config";
import written from "./default-config.json";

export const DEFAULT_CONFIG = written as OfficeConfig & { member_pages: readonly string[] };
