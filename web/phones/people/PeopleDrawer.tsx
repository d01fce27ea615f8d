import { useState } from "preact/hooks";
import { Dialog } from "../page/Dialog";
import { Icon } from "../page/Icon";
import { showPhone } from "../state/choosing";
import { phonesToShow } from "../state/shown-phones";
import { useSelected } from "../state/store";
import { unreadOf } from "../state/unread";
import { findPeople, type PeopleFilter } from "./people-list";
import { PeopleRows } from "./PeopleRows";

const FILTERS: [PeopleFilter, string][] = [
  ["all", "すべて"],
  ["shown", "机の上"],
  ["unread", "未読"],
  ["strangers", "追加前"],
  ["blocked", "ブロック"],
];

export function PeopleDrawer({ onClose, onAdd }: { onClose: () => void; onAdd: () => void }) {
  const people = useSelected((state) => state.people);
  const chats = useSelected((state) => state.chats);
  const chosen = useSelected((state) => state.chosen);
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<PeopleFilter>("all");
  const shown = new Set(phonesToShow(chosen, people));
  const found = findPeople(people, { search, filter }, shown, (person) => unreadOf(person, chats));
  const pickFirst = () => {
    const first = found[0];
    if (!first || search.trim() === "") return;
    onClose();
    showPhone(first.user_id);
  };
  return (
    <Dialog title="友だち一覧" kind="drawer" onClose={onClose}>
      <div class="drawer-tools">
        <label class="search">
          <span class="for-ears">名前で探す</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder="名前で探す"
            value={search}
            autofocus
            onInput={(event) => setSearch(event.currentTarget.value)}
            // Enter that ends a kana conversion is not yet a choice.
            onKeyDown={(event) => event.key === "Enter" && !event.isComposing && pickFirst()}
          />
        </label>
        <div class="filters" role="group" aria-label="しぼり込み">
          {FILTERS.map(([one, label]) => (
            <button key={one} type="button" aria-pressed={filter === one} onClick={() => setFilter(one)}>
              {label}
            </button>
          ))}
        </div>
        <p class="found" role="status">
          {found.length === people.length ? `${people.length}人` : `${people.length}人のうち ${found.length}人`}
          {search.trim() !== "" && found.length > 0 && <span class="key-hint">・Enter でいちばん上の人の電話を出します</span>}
        </p>
      </div>
      {found.length > 0 ? (
        <PeopleRows key={`${filter} ${search}`} people={found} shown={shown} onPicked={onClose} />
      ) : (
        <p class="nobody-found">{people.length === 0 ? "まだ誰もいません。" : "あてはまる人はいません。"}</p>
      )}
      <footer class="drawer-foot">
        <button type="button" class="button main wide" onClick={onAdd}>
          <Icon name="plus" />
          友だちを増やす
        </button>
      </footer>
    </Dialog>
  );
}
