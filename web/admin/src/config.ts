import { type OfficeConfig, readOfficeConfig } from "../../api/config";

/** What the server says about this installation. Tests without a page have the default: every part. */
export const CONFIG: OfficeConfig = readOfficeConfig(typeof document === "undefined" ? null : document);
