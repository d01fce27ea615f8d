import { Button } from "@mantine/core";
import booking from "../booking/Booking.module.css";
import classes from "./Person.module.css";
import type { Suggestion } from "./queries";
import { StateBadge } from "./StateBadge";
import { KIND_NAMES, nameOf, traitNames } from "./words";

/** Who else it may be. Nothing is joined before somebody has looked at both and says so. */
export function SuggestionsCard({ suggestions, open }: { suggestions: Suggestion[]; open: (suggestion: Suggestion) => void }) {
  return (
    <section className={booking.card} aria-labelledby="person-suggestions">
      <h2 id="person-suggestions">同じ人かもしれない記録</h2>
      {suggestions.length === 0 && <p className={booking.emptyLine}>ありません。</p>}
      <ul className={classes.list}>
        {suggestions.map((suggestion) => {
          const { record, shared } = suggestion;
          return (
            <li key={`${record.kind}:${record.id}`} className={classes.suggestion}>
              <div>
                <span className={classes.kind}>{KIND_NAMES[record.kind]}</span>
                <strong>{nameOf(record)}</strong> <StateBadge state={record.state} />
                <div className={booking.soft}>{traitNames(shared)}</div>
              </div>
              <Button variant="default" size="sm" onClick={() => open(suggestion)} aria-label={`${KIND_NAMES[record.kind]}「${nameOf(record)}」と並べて見る`}>
                並べて見る
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
