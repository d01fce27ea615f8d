import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { liffUrl } from "../chat/link-destination";
import type { Person } from "../client/types";
import { Icon } from "../page/Icon";
import { Rename } from "../people/Rename";
import { putAway } from "../state/choosing";
import { useSelected } from "../state/store";
import { PhoneActionsContext } from "./phone-actions";
import { useFriendship } from "./use-friendship";

interface PhoneMenuProps {
  person: Person;
  setTrouble: (trouble: string | null) => void;
}

export function PhoneMenu({ person, setTrouble }: PhoneMenuProps) {
  const [open, setOpen] = useState(false);
  const [renaming, setRenaming] = useState(false);
  const [busy, take] = useFriendship(person.user_id, setTrouble);
  const config = useSelected((state) => state.config);
  const { openLink } = useContext(PhoneActionsContext);
  const place = useRef<HTMLDivElement>(null);
  useClosing(place, open, setOpen);
  const choose = (what: () => void) => () => {
    setOpen(false);
    place.current?.querySelector("button")?.focus();
    what();
  };
  return (
    <div class="phone-menu" ref={place}>
      <button type="button" class="round" aria-label="この電話の操作" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="more" />
      </button>
      {open && (
        <ul class="phone-menu-list">
          {config && <Item label="職員の予約を開く" onClick={choose(() => openLink(liffUrl(config, person.user_id, "/staff")))} />}
          <FriendshipItem person={person} busy={busy} choose={choose} take={take} />
          <Item label="名前を変える" onClick={choose(() => setRenaming(true))} />
          <Item label="この電話を閉じる" onClick={choose(() => putAway(person.user_id))} />
        </ul>
      )}
      {renaming && <Rename person={person} onClose={() => setRenaming(false)} />}
    </div>
  );
}

interface FriendshipItemProps {
  person: Person;
  busy: boolean;
  choose: (what: () => void) => () => void;
  take: (step: "block" | "unblock") => Promise<void>;
}

function FriendshipItem({ person, busy, choose, take }: FriendshipItemProps) {
  if (person.blocked) return <Item label="ブロック解除" disabled={busy} onClick={choose(() => void take("unblock"))} />;
  if (!person.following) return null;
  return <Item label="ブロックする" disabled={busy} onClick={choose(() => void take("block"))} />;
}

function Item({ label, onClick, disabled = false }: { label: string; onClick: () => void; disabled?: boolean }) {
  return (
    <li>
      <button type="button" disabled={disabled} onClick={onClick}>
        {label}
      </button>
    </li>
  );
}

/** Esc, a click elsewhere and leaving with the Tab key close the menu. */
function useClosing(place: { current: HTMLElement | null }, open: boolean, setOpen: (open: boolean) => void): void {
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      place.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
      document.removeEventListener("keydown", onKey);
    };
  }, [open]);
}
