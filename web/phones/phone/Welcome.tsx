import type { Person, SandboxConfig } from "../client/types";
import { AccountPicture } from "./AccountPicture";
import { useFriendship } from "./use-friendship";

interface WelcomeProps {
  person: Person;
  account: SandboxConfig["account"];
  setTrouble: (trouble: string | null) => void;
}

export function Welcome({ person, account, setTrouble }: WelcomeProps) {
  const [busy, take] = useFriendship(person.user_id, setTrouble);
  return (
    <div class="welcome">
      <div class="welcome-card">
        <AccountPicture account={account} size={72} />
        <p class="welcome-name">{account.name}</p>
        <p>友だちに追加すると、お知らせや出欠の案内がこのトークに届きます。</p>
        <button type="button" class="button main wide" disabled={busy} onClick={() => take("follow")}>
          {busy && <span class="spinner" aria-hidden="true" />}
          {busy ? "追加しています…" : "友だち追加"}
        </button>
      </div>
    </div>
  );
}
