import { sandbox } from "../client/sandbox";
import { Dialog } from "../page/Dialog";
import { showPhone } from "../state/choosing";
import { refreshPeople } from "../state/people-changes";
import { suggestName } from "./made-up-names";
import { NameForm } from "./NameForm";

export function AddFriend({ onClose }: { onClose: () => void }) {
  async function add(name: string): Promise<void> {
    const person = await sandbox.addPerson(name);
    await refreshPeople();
    onClose();
    showPhone(person.user_id);
  }
  return (
    <Dialog title="友だちを増やす" kind="box" onClose={onClose}>
      <p class="dialog-words">
        LINE を使う人をひとり増やします。現れた電話で「友だち追加」を押すと、公式アカウントとのトークが始まります。
      </p>
      <NameForm name={suggestName()} action="この人の電話を出す" busyAction="増やしています…" save={add} />
    </Dialog>
  );
}
