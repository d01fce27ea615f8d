import type { JSX } from "preact";
import { rememberLine } from "../../kit/in-line";
import { useLoad } from "../../kit/load";
import { Loading } from "./screens/loading";
import { MemberError } from "./screens/member-error";
import { NotFound } from "./screens/not-found";
import { useSession } from "./session";

const PORTAL = "/staff/profile";

/**
 * The way into the staff portal from LINE. LINE's SDK runs below `/liff/` only, so the session that says whose LINE
 * account this is begins here; the portal then links the account.
 */
export function StaffDoor(): JSX.Element {
  return useSession().hasStaffPortal ? <Door /> : <NotFound />;
}

function Door(): JSX.Element {
  const { client, adapter } = useSession();
  const [state, retry] = useLoad(async () => {
    await client.openSession();
    rememberLine();
    location.replace(PORTAL);
  });
  if (state.kind === "failed") return <MemberError error={state.error} adapter={adapter} retry={retry} />;
  return <Loading />;
}
