import { useSelected } from "../state/store";
import { totalUnread } from "../state/unread";
import { Badge } from "./Badge";
import { Icon } from "./Icon";
import { Mark } from "./Mark";

interface TopBarProps {
  onPeople: () => void;
  onAdd: () => void;
  onAnswers: () => void;
  onFaults: () => void;
  onPages: () => void;
}

export function TopBar({ onPeople, onAdd, onAnswers, onFaults, onPages }: TopBarProps) {
  return (
    <header class="top-bar">
      <Mark size={36} />
      <div class="top-words">
        <h1>電話の練習場</h1>
        <p class="only-wide">LINE のかわりの練習場。ここでの友だち・メッセージはすべて仮のものです</p>
        <p class="only-narrow">LINE のかわり。すべて仮のものです</p>
      </div>
      <nav class="top-actions" aria-label="ページの操作">
        <PeopleButton onClick={onPeople} />
        <button type="button" class="button main" title="友だちを増やす" onClick={onAdd}>
          <Icon name="plus" />
          <span class="button-words">友だちを増やす</span>
        </button>
        <button type="button" class="button" aria-haspopup="dialog" title="みんなで回答（でたらめに）" onClick={onAnswers}>
          <Icon name="crowd" />
          <span class="button-words">みんなで回答</span>
        </button>
        <button type="button" class="button" aria-haspopup="dialog" title="こまった状況をためす" onClick={onFaults}>
          <Icon name="alert" />
          <span class="button-words">こまった状況</span>
        </button>
        <button type="button" class="button" aria-haspopup="dialog" title="ほかの画面" onClick={onPages}>
          <Icon name="outside" />
          <span class="button-words">ほかの画面</span>
        </button>
      </nav>
    </header>
  );
}

function PeopleButton({ onClick }: { onClick: () => void }) {
  const people = useSelected((state) => state.people);
  const chats = useSelected((state) => state.chats);
  const known = useSelected((state) => state.phase === "ready");
  return (
    <button type="button" class="button" aria-haspopup="dialog" title="友だち一覧" onClick={onClick}>
      <Icon name="people" />
      <span class="button-words">友だち一覧</span>
      <span class="count">{known && people.length}</span>
      <Badge count={totalUnread(people, chats)} />
    </button>
  );
}
