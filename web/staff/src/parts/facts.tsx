import type { ComponentChildren, JSX } from "preact";
import { formatDay, formatTimes, type Span } from "../days";

interface FactsProps {
  of: Span & { place: string | null; notes: string | null };
  /** Left out where the heading says it. */
  typeName?: string;
  /** Further rows, such as what it costs. */
  children?: ComponentChildren;
}

/** What a person has to know of an appointment: what, when, where. */
export function Facts({ of, typeName, children }: FactsProps): JSX.Element {
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
        <b>{formatDay(of.serviceDateLocal)}</b>
      </dd>
      <dt>時間</dt>
      <dd>
        <b>{formatTimes(of)}</b>
      </dd>
      {of.place && (
        <>
          <dt>会場</dt>
          <dd>{of.place}</dd>
        </>
      )}
      {of.notes && (
        <>
          <dt>{of.place ? "備考" : "場所・備考"}</dt>
          <dd class="kept-lines">{of.notes}</dd>
        </>
      )}
      {children}
    </dl>
  );
}
