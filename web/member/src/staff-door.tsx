import type { JSX } from "preact";
import { rememberLine } from "../../kit/in-line";
import { useLoad } from "../../kit/load";
import { browserStorage } from "../../kit/storage";
import { Loading } from "./screens/loading";
import { MemberError } from "./screens/member-error";
import { NotFound } from "./screens/not-found";
import { useSession } from "./session";
import { leaveOtherPerson, portalAddress } from "./staff-portal";

/**
 * The way into the staff portal from LINE: its menu, and the buttons of messages. LINE's SDK runs below `/liff/` only, so
 * the session that says whose LINE account this is begins here. The portal then asks for the log-in where it is needed.
 */
export function StaffDoor(): JSX.Element {
  const target = portalAddress(location.pathname, location.search);
  return useSession().hasStaffPortal && target !== null ? <Door target={target} /> : <NotFound />;
}

function Door({ target }: { target: string }): JSX.Element {
  const { client, adapter, identity } = useSession();
  const [state, retry] = useLoad(async () => {
    await client.openSession();
    rememberLine();
    await leaveOtherPerson(identity.userId, browserStorage());
    location.replace(target);
  });
  if (state.kind === "failed") return <MemberError error={state.error} adapter={adapter} retry={retry} />;
  return <Loading />;
}
