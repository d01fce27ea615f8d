import type { JSX } from "preact";
import { formatPeriod } from "../../../../kit/dates";
import { Calendar } from "../../calendar/calendar";
import type { Slot, ThreadDetail } from "../shapes";
import { Contact } from "./contact";

/** The date that was decided, and whether this person takes part. */
export function Decided({ thread }: { thread: ThreadDetail }): JSX.Element {
  const slot = thread.slots.find(({ slot_id }) => slot_id === thread.final_slot_id);
  return (
    <>
      <section class="say say-good" aria-labelledby="decided">
        <h2 id="decided" class="say-title">
          日程が決まりました
        </h2>
        {slot && <DecidedDate slot={slot} />}
        {thread.taking_part !== null && <p>{participationWords(thread.taking_part)}</p>}
        <Contact thread={thread} />
      </section>
      {slot && thread.taking_part && thread.calendar_url !== null && (
        <Calendar entry={{ title: thread.title, start: slot.start_at, end: slot.end_at, fileUrl: thread.calendar_url }} />
      )}
    </>
  );
}

function DecidedDate({ slot }: { slot: Slot }): JSX.Element {
  return (
    <p class="decided-date">
      <time dateTime={slot.start_at}>{formatPeriod(slot.start_at, slot.end_at)}</time>
      {slot.label}
    </p>
  );
}

function participationWords(takingPart: boolean): string {
  return takingPart
    ? "あなたは参加の予定です。ご都合が変わったときは、主催者にご連絡ください。"
    : "あなたは参加の予定に入っていません。参加できるときは、主催者にご連絡ください。";
}
