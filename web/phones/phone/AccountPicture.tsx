import { useState } from "preact/hooks";
import type { SandboxConfig } from "../client/types";
import { Mark } from "../page/Mark";
import { ownPicture } from "../page/stand-in";

export function AccountPicture({ account, size }: { account: SandboxConfig["account"]; size: number }) {
  const [broken, setBroken] = useState(false);
  const picture = ownPicture(account.picture_url);
  if (!picture || broken) return <Mark size={size} />;
  return <img class="mark" src={picture} width={size} height={size} alt="" onError={() => setBroken(true)} />;
}
