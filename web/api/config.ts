// What the server writes into the page, so that one build serves every installation.

export interface PageConfig {
  liff_adapter: "line" | "sandbox";
  liff_id: string;
  version: string;
  /** How the `tsudoi` command is typed on the server. */
  command: string;
}

export class BadPageConfig extends Error {
  override readonly name = "BadPageConfig";
}

export function readConfig(page: Document = document): PageConfig {
  const content = page.querySelector<HTMLMetaElement>('meta[name="tsudoi-config"]')?.content ?? "";
  let parsed: Partial<PageConfig>;
  try {
    parsed = JSON.parse(content) as Partial<PageConfig>;
  } catch (cause) {
    throw new BadPageConfig("the server did not fill in tsudoi-config", { cause });
  }
  return {
    // Anything but the sandbox is the real LINE: a typing error must never open the demo's door.
    liff_adapter: parsed.liff_adapter === "sandbox" ? "sandbox" : "line",
    liff_id: parsed.liff_id ?? "",
    version: parsed.version ?? "",
    command: parsed.command ?? "tsudoi",
  };
}
