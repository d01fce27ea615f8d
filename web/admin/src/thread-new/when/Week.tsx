import { useQueries } from "@tanstack/react-query";
import { type PointerEvent as ReactPointerEvent, useRef, useState } from "react";
import { addDays, today, weekdayName, weekdayOf } from "../../booking/days";
import { holidaysQuery } from "../../threads/queries";
import { type ChosenSlot, timesText } from "../../threads/slot-times";
import { type Cell, CELLS, FIRST_HOUR, LAST_HOUR, painted, placeOf, slotsOf } from "./slots";
import classes from "./When.module.css";

interface WeekProps {
  monday: string;
  chosen: readonly ChosenSlot[];
  /** Dates that are there already and stay. */
  fixed: readonly ChosenSlot[];
  usualMinutes: number;
  add: (slots: ChosenSlot[]) => void;
  remove: (slot: ChosenSlot) => void;
}

const COLUMNS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: LAST_HOUR - FIRST_HOUR }, (_, index) => FIRST_HOUR + index);

/**
 * A week to paint on with a mouse or a finger. It is hidden from screen readers and from the Tab key on purpose: the
 * fields beside it do the same, and two hundred cells would be in everybody's way.
 */
export function Week({ monday, chosen, fixed, usualMinutes, add, remove }: WeekProps) {
  const [stroke, setStroke] = useState<{ from: Cell; to: Cell } | null>(null);
  const surface = useRef<HTMLDivElement>(null);
  const day = today();
  const holidays = useHolidays(monday);

  function cellAt(event: { clientX: number; clientY: number }): Cell {
    const { left, top, width, height } = surface.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 1, height: 1 };
    const within = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));
    return { column: within((event.clientX - left) / width, 7), row: within((event.clientY - top) / height, CELLS) };
  }
  function begin(event: ReactPointerEvent): void {
    // A finger that moves wants to scroll; it chooses by a tap, in `tapped`.
    if (event.pointerType === "touch" || event.button !== 0 || isBlock(event.target)) return;
    event.preventDefault();
    surface.current?.setPointerCapture(event.pointerId);
    setStroke({ from: cellAt(event), to: cellAt(event) });
  }
  function move(event: ReactPointerEvent): void {
    if (stroke) setStroke({ from: stroke.from, to: cellAt(event) });
  }
  function end(): void {
    if (stroke) add(slotsOf(monday, stroke.from, stroke.to, usualMinutes));
    setStroke(null);
  }
  function tapped(event: React.MouseEvent): void {
    const touch = (event.nativeEvent as PointerEvent).pointerType === "touch";
    if (touch && !isBlock(event.target)) add(slotsOf(monday, cellAt(event), cellAt(event), usualMinutes));
  }

  return (
    <div className={classes.week} aria-hidden="true">
      <div className={classes.days}>
        <span />
        {COLUMNS.map((column) => {
          const date = addDays(monday, column);
          return (
            <span key={column} data-today={date === day || undefined} data-past={date < day || undefined} data-weekday={weekdayOf(date)} data-holiday={holidays.has(date) || undefined} title={holidays.get(date)}>
              <small>
                {weekdayName(weekdayOf(date))}
                {holidays.has(date) && "・祝"}
              </small>
              {Number(date.slice(8))}
            </span>
          );
        })}
      </div>
      <div className={classes.grid}>
        <div className={classes.hours}>
          {HOURS.map((hour) => (
            <span key={hour}>{hour}:00</span>
          ))}
        </div>
        <div ref={surface} className={classes.surface} data-testid="week" onPointerDown={begin} onPointerMove={move} onPointerUp={end} onPointerCancel={() => setStroke(null)} onClick={tapped}>
          {COLUMNS.map((column) => (
            <span key={column} className={classes.column} style={{ left: `${(column / 7) * 100}%` }} data-past={addDays(monday, column) < day || undefined} />
          ))}
          {fixed.map((slot) => (
            <Block key={`${slot.date}${slot.start}${slot.minutes}`} slot={slot} monday={monday} fixed />
          ))}
          {chosen.map((slot) => (
            <Block key={`${slot.date}${slot.start}${slot.minutes}`} slot={slot} monday={monday} onPress={() => remove(slot)} />
          ))}
          {stroke && <Stroke {...stroke} />}
        </div>
      </div>
    </div>
  );
}

/** The holidays of the years that this week is in. Without an answer of the server the week has none. */
function useHolidays(monday: string): ReadonlyMap<string, string> {
  const years = [...new Set([monday.slice(0, 4), addDays(monday, 6).slice(0, 4)])];
  const answers = useQueries({ queries: years.map((year) => holidaysQuery(year)) });
  return new Map(answers.flatMap(({ data }) => data?.items ?? []).map(({ date, name }) => [date, name]));
}

function isBlock(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-block]") !== null;
}

interface BlockProps {
  slot: ChosenSlot;
  monday: string;
  fixed?: boolean;
  onPress?: () => void;
}

function Block({ slot, monday, fixed = false, onPress }: BlockProps) {
  const place = placeOf(slot, monday);
  if (place === null) return null;
  return (
    <span
      className={classes.block}
      data-block
      data-fixed={fixed || undefined}
      title={fixed ? timesText(slot) : `${timesText(slot)}（押すと外れます）`}
      style={{ left: `${(place.column / 7) * 100}%`, top: `${(place.row / CELLS) * 100}%`, height: `${(place.rows / CELLS) * 100}%` }}
      onClick={onPress}
    >
      {timesText(slot).split("–")[0]}
      <i>–{timesText(slot).split("–")[1]}</i>
    </span>
  );
}

function Stroke({ from, to }: { from: Cell; to: Cell }) {
  const { left, right, top, bottom } = painted(from, to);
  const share = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <span
      className={classes.stroke}
      style={{ left: share(left, 7), width: share(right - left + 1, 7), top: share(top, CELLS), height: share(bottom - top + 1, CELLS) }}
    />
  );
}
