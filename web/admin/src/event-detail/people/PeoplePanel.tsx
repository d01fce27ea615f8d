import { SegmentedControl, TextInput } from "@mantine/core";
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from "react";
import { type Counts, type EventDetail, inPeople, memoLabel, type Person } from "../event";
import shared from "../EventDetail.module.css";
import { FILTERS, filtered, type Shown } from "./filter";
import classes from "./People.module.css";
import { PeopleTable } from "./PeopleTable";
import { PersonDrawer } from "./PersonDrawer";

interface PeoplePanelProps {
  event: EventDetail;
  people: Person[];
  counts: Counts;
  fresh: ReadonlySet<number>;
  /** A past moment is shown, where nothing can be answered; null: now. */
  past: string | null;
  /** More to choose with, beside the filter. */
  children: ReactNode;
}

export function PeoplePanel({ event, people, counts, fresh, past, children }: PeoplePanelProps) {
  const [shown, setShown] = useState<Shown>("all");
  const [words, setWords] = useState("");
  const [opened, setOpened] = useState<number | null>(null);
  const open = useCallback((memberId: number) => setOpened(memberId), []);
  // Typing stays quick: a long list follows the keys as soon as there is time.
  const later = { shown: useDeferredValue(shown), words: useDeferredValue(words) };
  const found = useMemo(() => filtered(people, later.shown, later.words), [people, later.shown, later.words]);
  const total = { ...counts, all: people.length };
  return (
    <section className={classes.people} aria-labelledby="event-people">
      <div className={shared.cardHead}>
        <h2 id="event-people">対象の方{past !== null && `（${past} 時点）`}</h2>
        <span className="figures" role="status">
          {found.length < people.length ? `${inPeople(people.length)}のうち${inPeople(found.length)}を表示` : inPeople(people.length)}
        </span>
      </div>
      <div className={classes.tools}>
        <SegmentedControl
          aria-label="回答で絞り込む"
          value={shown}
          onChange={(value) => setShown(value as Shown)}
          data={FILTERS.map(({ value, label }) => ({ value, label: `${label} ${total[value]}` }))}
        />
        <TextInput
          type="search"
          className={classes.search ?? ""}
          aria-label="名前で探す"
          placeholder="名前で探す"
          value={words}
          onChange={(change) => setWords(change.currentTarget.value)}
        />
        {children}
      </div>
      <div className={classes.panel} data-past={past ?? undefined}>
        <PeopleTable people={found} list={`${later.shown} ${later.words}`} fresh={fresh} memoLabel={memoLabel(event)} open={open} />
        {found.length === 0 && <p className={classes.none}>{noneInWords(people.length, past !== null)}</p>}
      </div>
      <PersonDrawer event={event} person={people.find((person) => person.member_id === opened)} past={past !== null} close={() => setOpened(null)} />
    </section>
  );
}

function noneInWords(total: number, past: boolean): string {
  if (total > 0) return "あてはまる方はいません。絞り込みや名前を変えてみてください。";
  return past ? "この時点では、まだどなたにも案内していません。" : "対象の方がいません。「対象者を追加」から選べます。";
}
