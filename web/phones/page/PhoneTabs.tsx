import { useEffect, useRef } from "preact/hooks";
import { bringToFront } from "../state/choosing";
import { useSelected } from "../state/store";
import { unreadOf } from "../state/unread";
import { Badge } from "./Badge";
import { Face } from "./Face";

/** Only on narrow screens: one tab per phone on the stage. */
export function PhoneTabs({ shown, front }: { shown: string[]; front: number }) {
  return (
    <nav class="phone-tabs" aria-label="電話の切り替え">
      {shown.map((userId, index) => (
        <PhoneTab key={userId} userId={userId} current={index === front} />
      ))}
    </nav>
  );
}

function PhoneTab({ userId, current }: { userId: string; current: boolean }) {
  const person = useSelected((state) => state.people.find((one) => one.user_id === userId));
  const chats = useSelected((state) => state.chats);
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (current) place.current?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [current]);
  if (!person) return null;
  return (
    <button
      ref={place}
      type="button"
      class="phone-tab"
      aria-current={current ? "true" : undefined}
      onClick={() => bringToFront(userId)}
    >
      <Face person={person} size={28} />
      <span class="phone-tab-name">{person.display_name}</span>
      <Badge count={unreadOf(person, chats)} />
    </button>
  );
}
