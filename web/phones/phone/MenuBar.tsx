import { useContext, useState } from "preact/hooks";
import { liffUrl } from "../chat/link-destination";
import type { Person, SandboxConfig } from "../client/types";
import { Icon } from "../page/Icon";
import { useSelected } from "../state/store";
import { PhoneActionsContext } from "./phone-actions";
import { RichMenuPanel } from "./RichMenuPanel";

/** The bar at the foot of the chat: the rich menu, when the account has one, and always the way to the member page. */
export function MenuBar({ person, config }: { person: Person; config: SandboxConfig }) {
  const menu = useSelected((state) => state.richMenu);
  const [folded, setFolded] = useState<boolean | null>(null);
  const { openLink } = useContext(PhoneActionsContext);
  const offered = person.following && menu !== null;
  const open = offered && !(folded ?? menu.selected === false);
  return (
    <footer class="menu-area">
      <div class="menu-bar">
        {offered && (
          <button type="button" class="menu-toggle" aria-expanded={open} onClick={() => setFolded(open)}>
            <Icon name={open ? "down" : "up"} size={16} />
            {menu.chatBarText || "メニュー"}
          </button>
        )}
        <button type="button" class="menu-toggle" onClick={() => openLink(liffUrl(config, person.user_id))}>
          <Icon name="page" size={16} />
          会員ページを開く
        </button>
      </div>
      {open && <RichMenuPanel menu={menu} />}
    </footer>
  );
}
