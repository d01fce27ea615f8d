import { Link } from "@tanstack/react-router";
import { Moment } from "../frame/Moment";
import { AnswerBar } from "./AnswerBar";
import { deliveryOf } from "./delivery";
import classes from "./EventRows.module.css";
import { EventsIcon } from "../frame/icons";
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
      <Thumb url={event.image_preview_url} />
      <div className={classes.what}>
        <div className={classes.when}>
          <Moment at={event.held_at} />
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

function Thumb({ url }: { url: string | null }) {
  if (url !== null) return <img className={classes.thumb} src={url} alt="" width="72" height="72" loading="lazy" decoding="async" />;
  return (
    <span className={classes.thumb}>
      <EventsIcon />
    </span>
  );
}
