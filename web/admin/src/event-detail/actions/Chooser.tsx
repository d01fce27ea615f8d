import { Button } from "@mantine/core";
import { memo, useCallback, useRef } from "react";
import { peopleCount } from "../event";
import { useIncrementalRows } from "../people/useIncrementalRows";
import classes from "./Actions.module.css";

const LINE_REM = 2.5;

interface Choice {
  member_id: number;
  name: string;
}

interface ChooserProps {
  people: Choice[];
  chosen: ReadonlySet<number>;
  choose: (chosen: ReadonlySet<number>) => void;
}

/** A long list of people with check boxes. They are the browser's own, because hundreds of Mantine's would be slow. */
export function Chooser({ people, chosen, choose }: ChooserProps) {
  const latest = useRef(chosen);
  latest.current = chosen;
  const toggle = useCallback(
    (memberId: number, on: boolean) => {
      const next = new Set(latest.current);
      if (on) next.add(memberId);
      else next.delete(memberId);
      choose(next);
    },
    [choose],
  );
  const { rendered, remaining, sentinel } = useIncrementalRows(people.length, people);
  const all = people.length > 0 && people.every((person) => chosen.has(person.member_id));
  const toggleAll = () => {
    const next = new Set(chosen);
    for (const { member_id } of people) all ? next.delete(member_id) : next.add(member_id);
    choose(next);
  };
  return (
    <div>
      <div className={classes.chosen}>
        <strong role="status">{peopleCount(chosen.size)}を選択中</strong>
        <Button variant="subtle" size="compact-sm" disabled={people.length === 0} onClick={toggleAll}>
          {all ? "表示中の方をすべて外す" : `表示中の${peopleCount(people.length)}をすべて選ぶ`}
        </Button>
      </div>
      <ul className={classes.chooser} aria-label="追加できる方">
        {people.slice(0, rendered).map((person) => (
          <ChoiceLine key={person.member_id} person={person} on={chosen.has(person.member_id)} toggle={toggle} />
        ))}
        {remaining > 0 && <li ref={sentinel} style={{ height: `${remaining * LINE_REM}rem` }} aria-hidden="true" />}
        {people.length === 0 && <li className={classes.choice}>あてはまる方はいません。</li>}
      </ul>
    </div>
  );
}

const ChoiceLine = memo(function ChoiceLine({ person, on, toggle }: { person: Choice; on: boolean; toggle: (id: number, on: boolean) => void }) {
  return (
    <li>
      <label className={classes.choice}>
        <input type="checkbox" checked={on} onChange={(event) => toggle(person.member_id, event.currentTarget.checked)} />
        {person.name}
      </label>
    </li>
  );
});
