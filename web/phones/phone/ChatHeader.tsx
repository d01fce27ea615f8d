import type { Person, SandboxConfig } from "../client/types";
import { AccountPicture } from "./AccountPicture";
import { PhoneMenu } from "./PhoneMenu";

interface ChatHeaderProps {
  person: Person;
  account: SandboxConfig["account"];
  setTrouble: (trouble: string | null) => void;
}

export function ChatHeader({ person, account, setTrouble }: ChatHeaderProps) {
  return (
    <header class="chat-header">
      <AccountPicture account={account} size={32} />
      <div class="chat-header-words">
        <p class="screen-title">{account.name}</p>
        <p>{person.display_name}さんの画面</p>
      </div>
      <PhoneMenu person={person} setTrouble={setTrouble} />
    </header>
  );
}
