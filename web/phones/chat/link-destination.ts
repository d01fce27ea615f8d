import type { SandboxConfig } from "../client/types";
import { isWebAddress } from "./text-links";

/** Where a tapped link opens: as a LIFF page or a plain page inside the phone, or in a tab of the real browser. */
export interface Destination {
  kind: "liff" | "page" | "tab" | "nowhere";
  url: string;
}

const LINE_LIFF = "https://liff.line.me";
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function destinationOf(link: string, config: SandboxConfig, userId: string): Destination {
  if (!isWebAddress(link)) return { kind: "nowhere", url: link };
  const rest = pathBehindLiff(link, config);
  if (rest !== null) return { kind: "liff", url: liffUrl(config, userId, rest) };
  const url = new URL(link);
  const inside = isLoopback(url) || url.origin === new URL(config.product_url).origin;
  return { kind: inside ? "page" : "tab", url: link };
}

/** The LIFF address of this sandbox for one person; `rest` is what follows the LIFF id, with query and fragment. */
export function liffUrl(config: SandboxConfig, userId: string, rest = "/"): string {
  const base = config.liff_base.replace(/\/+$/, "");
  const url = new URL(`${base}/${config.liff_id}${rest.startsWith("/") ? rest : `/${rest}`}`);
  url.searchParams.set("as", userId);
  return url.href;
}

/** What follows the LIFF id in a LIFF link of this account, or null for any other link. */
function pathBehindLiff(link: string, config: SandboxConfig): string | null {
  const url = new URL(link);
  for (const base of [config.liff_base, LINE_LIFF]) {
    const home = new URL(`${base.replace(/\/+$/, "")}/${config.liff_id}`);
    if (!sameServer(url, home)) continue;
    if (url.pathname !== home.pathname && !url.pathname.startsWith(`${home.pathname}/`)) continue;
    return url.pathname.slice(home.pathname.length) + url.search + url.hash;
  }
  return null;
}

/** localhost and 127.0.0.1 are one machine, whichever of the two a message was written with. */
function sameServer(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  return isLoopback(one) && isLoopback(other) && one.port === other.port && one.protocol === other.protocol;
}

function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname);
}

/**
 * The address under which this page should be open instead, or null when it is fine as it is.
 * The product's cookie is same-site only: a phone opened at localhost could not log in to a product at 127.0.0.1.
 */
export function sameSiteAddress(here: string, config: SandboxConfig): string | null {
  const now = new URL(here);
  const product = new URL(config.product_url);
  if (now.hostname === product.hostname || !isLoopback(now) || !isLoopback(product)) return null;
  now.hostname = product.hostname;
  return now.href;
}
