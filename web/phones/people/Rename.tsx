import { sandbox } from "../client/sandbox";
import type { Person } from "../client/types";
import { Dialog } from "../page/Dialog";
import { refreshPeople } from "../state/people-changes";
import { NameForm } from "./NameForm";

export function Rename({ person, onClose }: { person: Person; onClose: () => void }) {
  async function rename(name: string): Promise<void> {
    await sandbox.rename(person.user_id, name);
    await refreshPeople();
    onClose();
  }
  return (
    <Dialog title="名前を変える" kind="box" onClose={onClose}>
      <p class="dialog-words">LINE のプロフィールの名前が変わります。トークはそのまま残ります。</p>
      <NameForm name={person.display_name} action="この名前にする" busyAction="変えています…" save={rename} />
    </Dialog>
  );
}
