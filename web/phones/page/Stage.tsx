import { useRef, useState } from "preact/hooks";
import { Phone } from "../phone/Phone";
import { phonesToShow } from "../state/shown-phones";
import { useSelected } from "../state/store";
import { PhoneTabs } from "./PhoneTabs";
import { NobodyYet, NoPhoneOut } from "./Placeholders";

/** The phones side by side. On a narrow screen one fills it, and tabs or a swipe lead to the next. */
export function Stage({ onPeople, onAdd }: { onPeople: () => void; onAdd: () => void }) {
  const people = useSelected((state) => state.people);
  const chosen = useSelected((state) => state.chosen);
  const row = useRef<HTMLDivElement>(null);
  const [front, setFront] = useState(0);
  if (people.length === 0) return <NobodyYet onAdd={onAdd} />;
  const shown = phonesToShow(chosen, people);
  if (shown.length === 0) return <NoPhoneOut onPeople={onPeople} />;
  const onScroll = () => row.current && setFront(phoneInFront(row.current));
  return (
    <main class="stage">
      <PhoneTabs shown={shown} front={Math.min(front, shown.length - 1)} />
      <div class="phones" ref={row} onScroll={onScroll}>
        {shown.map((userId) => (
          <Phone key={userId} userId={userId} />
        ))}
      </div>
    </main>
  );
}

function phoneInFront(row: HTMLElement): number {
  return row.clientWidth === 0 ? 0 : Math.round(row.scrollLeft / row.clientWidth);
}
