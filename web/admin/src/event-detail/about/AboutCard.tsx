import { Moment } from "../../frame/Moment";
import { type EventDetail, memoLabel } from "../event";
import shared from "../EventDetail.module.css";
import classes from "./About.module.css";

/** The content of the invitation, and who created the event. */
export function AboutCard({ event }: { event: EventDetail }) {
  return (
    <section className={`${shared.card} ${classes.card}`} aria-labelledby="event-about">
      <h2 id="event-about">案内の内容</h2>
      {event.image_url && <Picture event={event} url={event.image_url} />}
      {event.body && <p className={classes.body}>{event.body}</p>}
      <dl className={classes.facts}>
        <dt>メモ欄</dt>
        <dd>{memoText(event)}</dd>
        <dt>作成</dt>
        <dd>
          {event.created_by} <Moment at={event.created_at} />
        </dd>
        {event.updated_at !== event.created_at && (
          <>
            <dt>更新</dt>
            <dd>
              <Moment at={event.updated_at} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function Picture({ event, url }: { event: EventDetail; url: string }) {
  return (
    <div>
      <a className={classes.picture} href={url} target="_blank" rel="noreferrer" tabIndex={-1} aria-hidden="true">
        <img src={event.image_preview_url ?? url} alt="" />
      </a>
      <a className={classes.open} href={url} target="_blank" rel="noreferrer">
        全画面で開く
      </a>
    </div>
  );
}

function memoText(event: EventDetail): string {
  if (!event.extra_text.enabled) return "なし";
  return `「${memoLabel(event)}」${event.extra_text.attend_only ? "（出席の方だけ）" : ""}`;
}
