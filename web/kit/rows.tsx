import type { JSX } from "preact";
import { formatWithWeekday } from "./dates";
import { Link } from "./router";

export type BadgeTone = "waiting" | "unsent" | "yes" | "no" | "cancelled";

export interface Row {
  key: string;
  link: string;
  title: string;
  /** A word above the title: what kind of thing it is, where the list has several. */
  caption?: string | undefined;
  date: string | null;
  /** What the date is, when it is not the day of the thing itself. */
  dateLabel?: string | undefined;
  badge: { label: string; tone: BadgeTone };
  /** Drawn more quietly: nothing is to be done about it any more. */
  past?: boolean;
}

/** A list of things to open, each with its date and a badge that says how it stands. */
export function Rows({ rows, label }: { rows: readonly Row[]; label: string }): JSX.Element {
  return (
    <ul class="rows" aria-label={label}>
      {rows.map(({ key, link, title, caption, date, dateLabel, badge, past }) => (
        <li key={key}>
          <Link to={link} class={`row ${past ? "row-past" : ""}`}>
            <span class="row-words">
              {caption && <span class="row-caption">{caption}</span>}
              <span class="row-title">{title}</span>
              {date !== null && (
                <span class="row-date">
                  {dateLabel && `${dateLabel} `}
                  <time dateTime={date}>{formatWithWeekday(date)}</time>
                </span>
              )}
            </span>
            <span class={`badge badge-${badge.tone}`}>{badge.label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
