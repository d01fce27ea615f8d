import type { ComponentChildren, JSX } from "preact";
import { type CalendarEntry, fileLink, googleLink } from "./calendar-links";

export function Calendar({ entry, children }: { entry: CalendarEntry; children?: ComponentChildren }): JSX.Element {
  return (
    <section class="calendar" aria-labelledby="calendar">
      <h2 id="calendar">予定をカレンダーに入れる</h2>
      <div class="calendar-links">
        <a class="button button-quiet" href={fileLink(entry)} target="_blank" rel="noopener noreferrer">
          スマートフォンのカレンダー
        </a>
        <a class="button button-quiet" href={googleLink(entry)} target="_blank" rel="noopener noreferrer">
          Googleカレンダー
        </a>
      </div>
      {children}
    </section>
  );
}
