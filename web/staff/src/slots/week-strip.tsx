import type { JSX } from "preact";
import type { Slot } from "../api/shapes";
import { addDays, formatDay, formatShortDay, today, weekdayName, weekdayOf } from "../days";
import { daySpoken, dayText, seatsOfDay } from "./slot-words";

interface WeekStripProps {
  week: readonly string[];
  chosen: string;
  /** Null while they are not known. */
  slots: readonly Slot[] | null;
  /** The reservation that looks for another slot. */
  moving: number | null;
  onChoose: (day: string) => void;
}

/** Seven days side by side, each with the seats that are left. */
export function WeekStrip({ week, chosen, slots, moving, onChoose }: WeekStripProps): JSX.Element {
  const first = week[0] ?? chosen;
  const last = week[6] ?? chosen;
  const now = today();
  return (
    <section aria-label="日にちを選ぶ">
      <div class="week-head">
        <button type="button" class="week-move" disabled={first <= now} aria-label="前の週" onClick={() => onChoose(addDays(chosen, -7) < now ? now : addDays(chosen, -7))}>
          <Arrow d="M15 5l-7 7 7 7" />
        </button>
        <b aria-live="polite">
          {formatShortDay(first)} 〜 {formatShortDay(last)}
        </b>
        <button type="button" class="week-move" aria-label="次の週" onClick={() => onChoose(addDays(first, 7))}>
          <Arrow d="M9 5l7 7-7 7" />
        </button>
      </div>
      <ul class="week">
        {week.map((day) => {
          const seats = seatsOfDay((slots ?? []).filter(({ serviceDateLocal }) => serviceDateLocal === day), moving);
          const past = day < now;
          return (
            <li key={day}>
              <button
                type="button"
                class={`day day-${seats.kind} ${seats.few ? "day-few" : ""}`}
                aria-pressed={day === chosen}
                disabled={past}
                onClick={() => onChoose(day)}
              >
                <span class="sr-only">
                  {formatDay(day)} {past ? "過ぎた日" : slots ? daySpoken(seats) : ""}
                </span>
                <span class={`day-name day-name-${weekdayOf(day)}`} aria-hidden="true">
                  {weekdayName(day)}
                </span>
                <span class="day-number" aria-hidden="true">
                  {Number(day.slice(8))}
                </span>
                <span class="day-seats" aria-hidden="true">
                  {past ? "" : dayText(seats)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Arrow({ d }: { d: string }): JSX.Element {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={d} fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
