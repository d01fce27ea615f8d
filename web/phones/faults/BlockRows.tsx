import { useState } from "preact/hooks";
import type { Person } from "../client/types";
import { useFriendship } from "../phone/use-friendship";
import { phonesToShow } from "../state/shown-phones";
import { useSelected } from "../state/store";
import { SwitchRow } from "./SwitchRow";

/** The same as "ブロックする" in a phone's own menu, for the phones that are out. */
export function BlockRows({ onPeople }: { onPeople: () => void }) {
  const people = useSelected((state) => state.people);
  const chosen = useSelected((state) => state.chosen);
  const out = new Set(phonesToShow(chosen, people));
  const shown = people.filter((person) => out.has(person.user_id) && (person.following || person.blocked));
  return (
    <section class="blocks" aria-labelledby="blocks-title">
      <h3 id="blocks-title">この人がブロック</h3>
      <p class="dialog-words">
        ブロックした人には送られても届きません。名簿では「ブロック」となり、イベントの宛先では届かない人として理由つきで表示されます。
      </p>
      <ul>
        {shown.map((person) => (
          <BlockRow key={person.user_id} person={person} />
        ))}
      </ul>
      <button type="button" class="button wide" onClick={onPeople}>
        ほかの人の電話を出す
      </button>
    </section>
  );
}

function BlockRow({ person }: { person: Person }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, take] = useFriendship(person.user_id, setTrouble);
  return (
    <SwitchRow
      label={`${person.display_name}さん`}
      words={trouble ?? (person.blocked ? "ブロック中" : "友だち")}
      on={person.blocked}
      disabled={busy}
      onTurn={(on) => void take(on ? "block" : "unblock")}
    />
  );
}
