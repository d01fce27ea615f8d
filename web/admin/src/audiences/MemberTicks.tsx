import { Button } from "@mantine/core";
import { memo } from "react";
import lists from "../frame/Lists.module.css";
import classes from "./Membership.module.css";
import type { Candidate } from "./membership";

type Tick = (ids: readonly number[], on: boolean) => void;

interface MemberTicksProps {
  candidates: readonly Candidate[];
  ticked: ReadonlySet<number>;
  before: ReadonlySet<number>;
  tick: Tick;
  clear: () => void;
}

export function MemberTicks({ candidates, ticked, before, tick, clear }: MemberTicksProps) {
  if (candidates.length === 0) {
    return (
      <div className={lists.empty}>
        <h2>あてはまる会員はいません</h2>
        <Button variant="default" size="md" mt="md" onClick={clear}>
          絞り込みを消す
        </Button>
      </div>
    );
  }
  return (
    <ul className={classes.people} aria-label="会員">
      {candidates.map((candidate) => {
        const on = ticked.has(candidate.id);
        return <PersonTick key={candidate.id} candidate={candidate} on={on} changed={on !== before.has(candidate.id)} tick={tick} />;
      })}
    </ul>
  );
}

interface PersonTickProps {
  candidate: Candidate;
  on: boolean;
  changed: boolean;
  tick: Tick;
}

/** A plain checkbox and nothing around it: a thousand of a library's would be felt with every letter. */
const PersonTick = memo(function PersonTick({ candidate: { id, name, mark }, on, changed, tick }: PersonTickProps) {
  return (
    <li className={classes.person} data-changed={changed ? (on ? "added" : "removed") : undefined}>
      <label>
        <input type="checkbox" checked={on} onChange={(event) => tick([id], event.currentTarget.checked)} />
        <span className={classes.personName}>{name}</span>
        {mark && <small className={classes.mark}>{mark}</small>}
        {changed && <small className={classes.change}>{on ? "追加" : "外す"}</small>}
      </label>
    </li>
  );
});
