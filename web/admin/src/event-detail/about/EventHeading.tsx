import type { ReactNode } from "react";
import { Moment } from "../../frame/Moment";
import { Notice } from "../../frame/Notice";
import { PageHeading } from "../../frame/PageHeading";
import { BackToEvents } from "../BackToEvents";
import type { EventDetail } from "../event";
import classes from "../EventDetail.module.css";
import { distance, periodOf } from "../times";

/** The title, the time and the state of the event, with its actions below. */
export function EventHeading({ event, children }: { event: EventDetail; children: ReactNode }) {
  const { cancelled_at, cancel_reason } = event;
  return (
    <>
      <BackToEvents />
      <PageHeading title={event.title}>
        <span className={classes.facts}>
          <time className={classes.date} dateTime={event.held_at}>
            {periodOf(event)}
          </time>
          {event.place !== null && <span>{event.place}</span>}
          <span className={classes.tag} data-cancelled={cancelled_at !== null || undefined}>
            {cancelled_at === null ? distance(event.held_at, new Date()) : "中止"}
          </span>
        </span>
      </PageHeading>
      {cancelled_at !== null && (
        <Notice tone="danger" title="このイベントは中止になりました" className={classes.notice}>
          {cancel_reason && <p style={{ margin: 0, whiteSpace: "pre-wrap" }}>理由：{cancel_reason}</p>}
          <Moment at={cancelled_at} /> に中止
        </Notice>
      )}
      <div className={classes.notice}>{children}</div>
    </>
  );
}
