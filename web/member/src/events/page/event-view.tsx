import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatPeriod, formatWithWeekday } from "../../../../kit/dates";
import { Screen } from "../../../../kit/screen";
import { BackToList } from "../../back-to-list";
import { Calendar } from "../../calendar/calendar";
import { RenewCalendar } from "../../calendar/renew";
import { BodyText } from "../../text/body-text";
import type { EventDetail } from "../shapes";
import { AnswerPanel } from "./answer-panel";
import { Closed } from "./closed";
import { isOpen } from "./openness";
import { Picture } from "./picture";
import { StatusFold } from "./status-fold";
import { useRecorded } from "./use-recorded";
import { ownWords } from "./words";

export function EventView({ event }: { event: EventDetail }): JSX.Element {
  const recorded = useRecorded(event);
  const open = isOpen(event);
  const own = ownWords(event);
  const [fileUrl, setFileUrl] = useState(event.calendar_url);
  return (
    <Screen title={event.title} back={<BackToList />}>
      <p class="held-at">
        <time dateTime={event.held_at}>{event.end_at ? formatPeriod(event.held_at, event.end_at) : formatWithWeekday(event.held_at)}</time>
      </p>
      {event.place && <p class="held-place">場所：{event.place}</p>}
      {event.cancelled && <Cancelled reason={event.cancel_reason} />}
      {own !== "" && <BodyText text={own} />}
      {event.image_preview_url && <Picture event={event} previewUrl={event.image_preview_url} />}
      {open && event.over && <p class="note">このイベントの日は終わりました。回答は、いまからでも記録できます。</p>}
      {open ? <AnswerPanel event={event} recorded={recorded} /> : <Closed event={event} recorded={recorded} />}
      {/* Nobody puts into a calendar what they do not come to. */}
      {!event.cancelled && !event.over && recorded.status !== "absent" && (
        <Calendar entry={{ title: event.title, start: event.held_at, ...(event.end_at && { end: event.end_at }), fileUrl }}>
          <RenewCalendar eventId={event.id} renewed={setFileUrl} />
        </Calendar>
      )}
      <StatusFold eventId={event.id} since={recorded.respondedAt} />
    </Screen>
  );
}

function Cancelled({ reason }: { reason: string | null }): JSX.Element {
  return (
    <div class="say say-bad">
      <p class="say-title">このイベントは中止になりました</p>
      {reason && <p class="kept-lines">{reason}</p>}
      <p>回答は必要ありません。</p>
    </div>
  );
}
