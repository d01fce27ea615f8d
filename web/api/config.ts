// What the server writes into the page, so that one build serves every installation.
import type { AuditNames } from "./audit-names";
import { DEFAULT_CONFIG } from "./default-config";

/** What every page reads. */
export interface PageConfig {
  liff_adapter: "line" | "sandbox";
  liff_id: string;
  version: string;
  /** How the `tsudoi` command is typed on the server. */
  command: string;
  /** The office's telephone number; empty where none is set. */
  office_phone: string;
  /** Whether the roster has a Google sheet; otherwise it comes from files. */
  roster_sheet: boolean;
  /** The parts of the product that are switched on. */
  features: readonly string[];
  /** The parts of the product that have pages for members. */
  member_pages: readonly string[];
}

/** The groups of the office's menu, in the order in which they are shown. */
export type NavigationGroup = "home" | "ask" | "receive" | "tell" | "people" | "manage";

/** One line of the office's menu. */
export interface NavigationItem {
  group: NavigationGroup;
  label: string;
  /** Below `/admin`. */
  path: string;
  /** The name of a drawing in `admin/src/frame/icons.tsx`. */
  icon: string;
}

/** What the office's console reads besides. */
export interface OfficeConfig extends AuditNames {
  features: readonly string[];
  navigation: readonly NavigationItem[];
}

export class BadPageConfig extends Error {
  override readonly name = "BadPageConfig";
}

const CONFIG = 'meta[name="tsudoi-config"]';

export function readConfig(page: Document = document): PageConfig {
  const { liff_adapter, liff_id, version, command, office_phone, roster_sheet, features, member_pages }: Partial<PageConfig> = read(page);
  return {
    // Anything but the sandbox is the real LINE: a typing error must never open the demo's door.
    liff_adapter: liff_adapter === "sandbox" ? "sandbox" : "line",
    liff_id: liff_id ?? "",
    version: version ?? "",
    command: command ?? "tsudoi",
    office_phone: office_phone ?? "",
    roster_sheet: roster_sheet === true,
    features: features ?? ["events"],
    member_pages: member_pages ?? ["events"],
  };
}

const EMPTY_CONFIG: OfficeConfig = {
  features: [],
  navigation: [],
  audit_actions: {},
  audit_groups: [],
  audit_subjects: {},
  audit_actors: {},
  audit_fields: {},
};
// The server sends every key. The development servers and the tests have no server behind their pages, and get an
// installation with every part, which a built page would carry for nothing.
const MISSING = import.meta.env.PROD ? EMPTY_CONFIG : DEFAULT_CONFIG;

/** What the server does not send has a value all the same. */
export function readOfficeConfig(page: Document | null): OfficeConfig {
  const given: Partial<OfficeConfig> = page?.querySelector(CONFIG) ? read(page) : {};
  return { ...MISSING, ...given };
}

function read(page: Document): object {
  const content = page.querySelector<HTMLMetaElement>(CONFIG)?.content ?? "";
  try {
    return JSON.parse(content) as object;
  } catch (cause) {
    throw new BadPageConfig("the server did not fill in tsudoi-config", { cause });
  }
}
