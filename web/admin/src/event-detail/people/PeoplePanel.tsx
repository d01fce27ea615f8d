import { SegmentedControl, TextInput } from "@mantine/core";
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from "react";
import { type Counts, type EventDetail, peopleCount, memoLabel, type Person } from "../event";
import shared from "../EventDetail.module.css";
import { FILTERS, filtered, type StatusFilter } from "./filter";
import classes from "./People.module.css";
import { PeopleTable } from "./PeopleTable";
import { PersonDrawer } from "./PersonDrawer";
import { useReadings } from "./useReadings";

interface PeoplePanelProps {
  event: EventDetail;
  people: Person[];
  counts: Counts;
  highlighted: ReadonlySet<number>;
  /** The past moment that is shown, in which nobody can answer; null for now. */
  past: string | null;
  /** Further controls beside the filter. */
  children: ReactNode;
}

export function PeoplePanel({ event, people, counts, highlighted, past, children }: PeoplePanelProps) {
  const [filter, setFilter] = useState<StatusFilter>("all");
  const [searchText, setSearchText] = useState("");
  const [opened, setOpened] = useState<number | null>(null);
  const open = useCallback((memberId: number) => setOpened(memberId), []);
  const readings = useReadings(searchText !== "");
  // The list is drawn after the input field, so that typing stays quick with thousands of rows.
  const later = { filter: useDeferredValue(filter), searchText: useDeferredValue(searchText) };
  const found = useMemo(() => filtered(people, later.filter, later.searchText, readings), [people, later.filter, later.searchText, readings]);
  const total = { ...counts, all: people.length };
  return (
    <section className={classes.people} aria-labelledby="event-people">
      <div className={shared.cardHead}>
        <h2 id="event-people">対象の方{past !== null && `（${past} 時点）`}</h2>
        <span className="figures" role="status">
          {found.length < people.length ? `${peopleCount(people.length)}のうち${peopleCount(found.length)}を表示` : peopleCount(people.length)}
        </span>
      </div>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label="回答で絞り込む"
          value={filter}
          onChange={(value) => setFilter(value as StatusFilter)}
          data={FILTERS.map(({ value, label }) => ({ value, label: `${label} ${total[value]}` }))}
        />
        <TextInput
          type="search"
          className={classes.search ?? ""}
          aria-label="名前で探す"
          placeholder="氏名・ふりがな"
          value={searchText}
          onChange={(change) => setSearchText(change.currentTarget.value)}
        />
        {children}
      </div>
      <div className={classes.panel} data-past={past ?? undefined}>
        <PeopleTable people={found} list={`${later.filter} ${later.searchText}`} highlighted={highlighted} memoLabel={memoLabel(event)} open={open} />
        {found.length === 0 && <p className={classes.none}>{noneText(people.length, past !== null)}</p>}
      </div>
      <PersonDrawer event={event} person={people.find((person) => person.member_id === opened)} past={past !== null} close={() => setOpened(null)} />
    </section>
  );
}

function noneText(total: number, past: boolean): string {
  if (total > 0) return "あてはまる方はいません。絞り込みや名前を変えてみてください。";
  return past ? "この時点では、まだどなたにも案内していません。" : "対象の方がいません。「対象者を追加」から選べます。";
}
