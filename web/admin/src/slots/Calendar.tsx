import { Link } from "@tanstack/react-router";
import { dayText, today, weekdayName, weekdayOf, weeksOf } from "../booking/days";
import type { CalendarDay } from "../booking/shapes";
import own from "./Slots.module.css";

interface CalendarProps {
  month: string;
  days: readonly CalendarDay[];
  type: number | undefined;
}

const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** A month of slots: how many seats each day has, and how many of them are taken. */
export function Calendar({ month, days, type }: CalendarProps) {
  const byDate = new Map(days.map((day) => [day.date, day]));
  return (
    <table className={own.calendar}>
      <caption className={own.hidden}>予約枠のカレンダー</caption>
      <thead>
        <tr>
          {WEEK.map((weekday) => (
            <th key={weekday} scope="col" data-weekday={weekday}>
              {weekdayName(weekday)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, index) => (
          <tr key={week.find(Boolean) ?? index}>
            {week.map((date, column) => (
              <td key={date ?? `empty-${column}`} data-today={date === today() || undefined}>
                {date && <DayCell date={date} day={byDate.get(date)} type={type} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayCell({ date, day, type }: { date: string; day: CalendarDay | undefined; type: number | undefined }) {
  const holiday = day?.holiday ?? null;
  return (
    <Link to="/booking/slots" search={{ date, ...(type === undefined ? {} : { type }) }} className={own.day}>
      <span className={own.hidden}>{spoken(date, day)}</span>
      <span aria-hidden="true" className={own.date} data-weekday={holiday === null ? weekdayOf(date) : 7}>
        {Number(date.slice(8))}
        {holiday !== null && <small>{holiday}</small>}
      </span>
      {day && day.slots > 0 && (
        <>
          <span aria-hidden="true" className={own.seats}>
            <b>{day.booked.toLocaleString("ja-JP")}</b>/{day.capacity.toLocaleString("ja-JP")}
          </span>
          <span className={own.bar} data-full={day.booked >= day.capacity || undefined}>
            <span style={{ width: `${Math.min(100, (day.booked / Math.max(1, day.capacity)) * 100)}%` }} />
          </span>
          <span aria-hidden="true" className={own.more}>
            {day.slots}枠{day.draft > 0 && `・下書き${day.draft}`}
            {day.published === 0 && day.closed > 0 && "・締切"}
          </span>
        </>
      )}
    </Link>
  );
}

function spoken(date: string, day: CalendarDay | undefined): string {
  const parts = [dayText(date), ...(day?.holiday ? [day.holiday] : [])];
  if (!day || day.slots === 0) return [...parts, "枠なし"].join(" ");
  return [...parts, `${day.slots}枠`, `定員${day.capacity}人中${day.booked}人が予約`, ...(day.draft > 0 ? [`下書き${day.draft}枠`] : [])].join(" ");
}
