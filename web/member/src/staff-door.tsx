import type { JSX } from "preact";
import { ApiClient } from "../../kit/client";
import { rememberLine } from "../../kit/in-line";
import { LineDoor } from "../../kit/line-door";
import { useLoad } from "../../kit/load";
import { Screen } from "../../kit/screen";
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

const openly = new ApiClient();

/** In an ordinary browser, where LINE says nothing about the person: how to open it in LINE, and how to go on here. */
export function DoorOutside(): JSX.Element {
  const [state] = useLoad(() => openly.get("/api/staff-door"));
  return (
    <Screen title="スマートフォンのLINEで開きます">
      <p>職員の予約のお知らせをLINEで受け取るには、このページをスマートフォンのLINEで開いてください。</p>
      {state.kind === "ready" && <LineDoor door={state.value} />}
      <p class="note">予約するだけなら、このままブラウザでも使えます。</p>
      <div class="actions">
        <a class="button button-quiet" href="/staff/">
          このままブラウザで使う
        </a>
      </div>
    </Screen>
  );
}
