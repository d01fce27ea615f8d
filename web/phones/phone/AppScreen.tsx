import { Chat } from "../chat/Chat";
import type { Person, SandboxConfig } from "../client/types";
import { BlockedNote } from "./BlockedNote";
import { ChatHeader } from "./ChatHeader";
import { Composer } from "./Composer";
import { MenuBar } from "./MenuBar";
import { TroubleNote } from "./TroubleNote";
import { Welcome } from "./Welcome";

interface AppScreenProps {
  person: Person;
  config: SandboxConfig;
  covered: boolean;
  trouble: string | null;
  setTrouble: (trouble: string | null) => void;
}

/** The messenger: the chat with the account, or the invitation to become its friend. */
export function AppScreen({ person, config, covered, trouble, setTrouble }: AppScreenProps) {
  const stranger = !person.following && !person.blocked;
  return (
    <div class="messenger" inert={covered}>
      <ChatHeader person={person} account={config.account} setTrouble={setTrouble} />
      <TroubleNote trouble={trouble} onClose={() => setTrouble(null)} />
      {stranger ? (
        <Welcome person={person} account={config.account} setTrouble={setTrouble} />
      ) : (
        <>
          <Chat person={person} account={config.account} />
          {person.blocked ? (
            <BlockedNote person={person} setTrouble={setTrouble} />
          ) : (
            <Composer userId={person.user_id} setTrouble={setTrouble} />
          )}
        </>
      )}
      <MenuBar person={person} config={config} />
    </div>
  );
}
