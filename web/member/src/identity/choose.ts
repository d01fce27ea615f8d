import type { PageConfig } from "../../../api/config";
import { Unreachable } from "../../../api/errors";
import { BASE } from "../../../kit/router";
import type { IdentityAdapter } from "./adapter";
import { SandboxAdapter } from "./sandbox";

export async function chooseAdapter(config: PageConfig): Promise<IdentityAdapter> {
  if (config.liff_adapter === "sandbox") return new SandboxAdapter(window, BASE);
  const { lineAdapter } = await import("./line").catch((cause: unknown) => {
    throw new Unreachable(cause);
  });
  return lineAdapter(config.liff_id);
}
