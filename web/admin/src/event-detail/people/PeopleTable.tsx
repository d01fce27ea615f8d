import { memo } from "react";
import { Moment } from "../../frame/Moment";
import type { Person } from "../event";
import shared from "../EventDetail.module.css";
import classes from "./People.module.css";
import { StatusMark } from "./StatusMark";
import { useIncrementalRows } from "./useIncrementalRows";

const ROW_REM = 2.75;

interface PeopleTableProps {
  people: readonly Person[];
  /** Changes when other people are listed, and not when one of them answers. */
  list: string;
  highlighted: ReadonlySet<number>;
  memoLabel: string;
  open: (memberId: number) => void;
}

// Roles are spelled out because the rows are laid out as grids, which some browsers no longer take for a table's.
export const PeopleTable = memo(function PeopleTable({ people, list, highlighted, memoLabel, open }: PeopleTableProps) {
  const { rendered, remaining, sentinel } = useIncrementalRows(people.length, list);
  return (
    <table className={classes.table} role="table" aria-rowcount={people.length + 1}>
      <caption className={shared.hidden}>対象の方と回答</caption>
      <thead role="rowgroup">
        <tr className={classes.row} role="row">
          {["名前", "回答", memoLabel, "回答日時"].map((heading) => (
            <th key={heading} role="columnheader" scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {people.slice(0, rendered).map((person) => (
          <PersonRow key={person.member_id} person={person} highlighted={highlighted.has(person.member_id)} open={open} />
        ))}
      </tbody>
      {remaining > 0 && <tbody ref={sentinel} style={{ height: `${remaining * ROW_REM}rem` }} aria-hidden="true" />}
    </table>
  );
});

interface PersonRowProps {
  person: Person;
  highlighted: boolean;
  open: (memberId: number) => void;
}

const PersonRow = memo(function PersonRow({ person, highlighted, open }: PersonRowProps) {
  return (
    <tr className={highlighted ? `${classes.row} ${classes.highlighted}` : classes.row} role="row">
      <td role="cell">
        <button type="button" className={classes.name} aria-haspopup="dialog" onClick={() => open(person.member_id)}>
          {person.name}
        </button>
      </td>
      <td role="cell">
        <StatusMark status={person.status} />
      </td>
      <td role="cell" className={classes.memo}>
        {person.extra_text}
      </td>
      <td role="cell" className={classes.when}>
        {person.responded_at && <Moment at={person.responded_at} />}
        {person.via === "admin" && <span className={classes.proxy}>事務局が代理入力</span>}
        {person.withdrawn && <span className={classes.proxy}>退会</span>}
      </td>
    </tr>
  );
});
