import type { JSX } from "preact";
import { BackLink } from "../../../kit/back-link";
import { navigate } from "../../../kit/router";
import { Tabs } from "../frame/tabs";
import { PinChange } from "../pin/pin-change";
import { useSession } from "../session/session";

export function PinPage(): JSX.Element {
  const { api } = useSession();
  return (
    <div class="framed">
      <Tabs />
      <PinChange
        api={api}
        currentPin={null}
        title="暗証番号（PIN）の変更"
        lead="変更すると、ほかの端末ではログインし直しになります。"
        back={<BackLink to="/profile">わたしへ</BackLink>}
        onDone={() => navigate("/profile", { replace: true, notice: "暗証番号（PIN）を変更しました。" })}
      />
    </div>
  );
}
