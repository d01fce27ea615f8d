import { memo } from "react";
import type { Recipient } from "../rules/recipients";
import classes from "./Recipients.module.css";

interface ListProps {
  people: readonly Recipient[];
  excluded: ReadonlySet<number>;
  tick: (ids: readonly number[], ticked: boolean) => void;
}

/** Plain rows, and the browser's own boxes: a thousand of them are drawn at once and can be searched by the browser too. */
export function RecipientList({ people, excluded, tick }: ListProps) {
  return (
    <ul className={classes.list} aria-label="受信者">
      {people.map((person) => (
        <Row key={person.id} person={person} ticked={person.unreachableReason === null && !excluded.has(person.id)} tick={tick} />
      ))}
    </ul>
  );
}

interface RowProps {
  person: Recipient;
  ticked: boolean;
  tick: ListProps["tick"];
}

const Row = memo(function Row({ person, ticked, tick }: RowProps) {
  const note = person.unreachableReason ?? (person.blocked ? "友だち未追加かブロック中のため、送っても見られません" : null);
  return (
    <li className={classes.row} data-off={person.unreachableReason !== null || undefined} data-ticked={ticked || undefined}>
      <label>
        <input
          type="checkbox"
          checked={ticked}
          disabled={person.unreachableReason !== null}
          onChange={(event) => tick([person.id], event.currentTarget.checked)}
        />
        <span className={classes.name}>
          {person.name}
          {note && <small data-warn={person.blocked || undefined}>{note}</small>}
        </span>
      </label>
    </li>
  );
});
