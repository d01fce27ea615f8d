import type { JSX } from "preact";
import { formatDay, formatTimes } from "../days";

interface FactsProps {
  span: { serviceDateLocal: string; startMinuteOfDay: number; durationMinutes: number };
  /** Left out where the heading says it. */
  typeName?: string;
  notes: string | null;
}

/** What a person has to know of an appointment: what, when, where. */
export function Facts({ span, typeName, notes }: FactsProps): JSX.Element {
  return (
    <dl class="facts">
      {typeName && (
        <>
          <dt>内容</dt>
          <dd>{typeName}</dd>
        </>
      )}
      <dt>日にち</dt>
      <dd>
        <b>{formatDay(span.serviceDateLocal)}</b>
      </dd>
      <dt>時間</dt>
      <dd>
        <b>{formatTimes(span)}</b>
      </dd>
      {notes && (
        <>
          <dt>場所・備考</dt>
          <dd class="kept-lines">{notes}</dd>
        </>
      )}
    </dl>
  );
}
