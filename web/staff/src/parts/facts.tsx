import type { ComponentChildren, JSX } from "preact";
import { Fold } from "../../../kit/fold";
import { formatDay, formatTimes, type Span } from "../days";

interface FactsProps {
  of: Span & { place: string | null; notes: string | null };
  /** Left out where the heading says it. */
  typeName?: string;
  /** What the office says about the type; a long text is folded. */
  description?: string | null;
  /** Further rows, such as what it costs. */
  children?: ComponentChildren;
}

/** What a person has to know of an appointment: what, when, where. */
export function Facts({ of, typeName, description, children }: FactsProps): JSX.Element {
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
      {description && (
        <>
          <dt>説明</dt>
          <dd>
            <Description text={description} />
          </dd>
        </>
      )}
      {children}
    </dl>
  );
}

const SHORT = 80;

/** A text of a few lines stands there. Of a longer one the first line does, and the rest is folded. */
function Description({ text }: { text: string }): JSX.Element {
  if (text.length <= SHORT && text.split("\n").length <= 3) return <span class="kept-lines">{text}</span>;
  return (
    <Fold title={`${text.split("\n", 1)[0]?.slice(0, 30) ?? ""}… 続きを読む`}>
      <p class="kept-lines">{text}</p>
    </Fold>
  );
}
