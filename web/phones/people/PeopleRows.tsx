import { useEffect, useRef, useState } from "preact/hooks";
import type { Person } from "../client/types";
import { PersonRow } from "./PersonRow";
import { rowsInSight } from "./people-list";

/** The height of a row; the style sheet has the same number as --person-row. */
const ROW_PX = 64;
const GUESSED_HEIGHT_PX = 900;

interface PeopleRowsProps {
  people: Person[];
  shown: ReadonlySet<string>;
  onPicked: () => void;
}

/** Draws only the rows in sight, so that a thousand people scroll as lightly as ten. */
export function PeopleRows({ people, shown, onPicked }: PeopleRowsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrolled: 0, height: GUESSED_HEIGHT_PX });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const look = () => setView({ scrolled: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  const { first, last } = rowsInSight(people.length, ROW_PX, view.scrolled, view.height);
  return (
    <div class="people-rows" ref={place}>
      <ul style={{ height: `${people.length * ROW_PX}px`, paddingTop: `${first * ROW_PX}px` }}>
        {people.slice(first, last).map((person, index) => (
          <li key={person.user_id} aria-setsize={people.length} aria-posinset={first + index + 1}>
            <PersonRow person={person} shown={shown.has(person.user_id)} onPicked={onPicked} />
          </li>
        ))}
      </ul>
    </div>
  );
}
