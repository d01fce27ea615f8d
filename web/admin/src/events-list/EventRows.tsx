import { Link } from "@tanstack/react-router";
import { formatDate } from "../../../api/times";
import { formatWithWeekday, weekdayOf } from "../../../kit/dates";
import { AnswerBar } from "./AnswerBar";
import { deliveryOf } from "./delivery";
import classes from "./EventRows.module.css";
import type { EventLine } from "./queries";

/** `fading`: these are still the answer to the question before. */
export function EventRows({ events, fading }: { events: EventLine[]; fading: boolean }) {
  return (
    <ul className={classes.panel} data-fading={fading || undefined} aria-label="イベント">
      {events.map((event) => (
        <Row key={event.id} event={event} />
      ))}
    </ul>
  );
}

function Row({ event }: { event: EventLine }) {
  const delivery = deliveryOf(event);
  return (
    <li className={classes.row} data-cancelled={event.cancelled || undefined}>
      <DateBlock at={event.held_at} />
      <div className={classes.what}>
        <div className={classes.when}>
          <time dateTime={event.held_at}>{formatWithWeekday(event.held_at)}</time>
          {event.cancelled && <span className={classes.cancelled}>中止</span>}
        </div>
        {/* The link's own box covers the row, so that the whole of it can be pressed and one thing is read out. */}
        <Link to="/events/$eventId" params={{ eventId: String(event.id) }} className={classes.title}>
          {event.title}
        </Link>
      </div>
      <AnswerBar event={event} />
      <p className={classes.delivery} data-tone={delivery.tone}>
        {delivery.text}
      </p>
    </li>
  );
}

/** The day at a glance. The line beside it says the same in full, so that this is for the eye alone. */
function DateBlock({ at }: { at: string }) {
  const [, month, date] = formatDate(at).split("/");
  return (
    <span className={classes.day} aria-hidden="true">
      <span>{Number(month)}月</span>
      <strong>{Number(date)}</strong>
      <span>{weekdayOf(at)}</span>
    </span>
  );
}
