import type { Person } from "../client/types";
import { useFriendship } from "./use-friendship";

export function BlockedNote({ person, setTrouble }: { person: Person; setTrouble: (trouble: string | null) => void }) {
  const [busy, take] = useFriendship(person.user_id, setTrouble);
  return (
    <div class="blocked">
      <p>ブロック中です。メッセージは届きません。</p>
      <button type="button" class="button" disabled={busy} onClick={() => take("unblock")}>
        {busy ? "解除しています…" : "ブロック解除"}
      </button>
    </div>
  );
}
