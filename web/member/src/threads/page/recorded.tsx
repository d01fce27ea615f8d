import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatDateTime } from "../../../../api/times";
import { formatPeriod, formatWithWeekday } from "../../../../kit/dates";
import { marksOf } from "../answers/marks";
import { type GivenAnswer, MARKS, type ThreadDetail } from "../shapes";

interface RecordedProps {
  thread: ThreadDetail;
  recorded: GivenAnswer;
}

/** What the server has on record: each slot with its mark, the comment, and when it came. */
export function RecordedMarks({ thread, recorded }: RecordedProps): JSX.Element {
  const marks = marksOf(thread, recorded);
  return (
    <>
      {recorded.status === "declined" && <p>どの候補日も参加できない、という回答です。</p>}
      <ul class="given">
        {thread.slots.map(({ slot_id, start_at, end_at }) => {
          const mark = marks[slot_id];
          return (
            <li key={slot_id}>
              <span class={`sign sign-${mark ?? "none"}`} aria-hidden="true">
                {mark ? MARKS[mark].sign : "－"}
              </span>
              <span>
                <time dateTime={start_at}>{formatPeriod(start_at, end_at)}</time>
                <span class="sr-only">：{mark ? MARKS[mark].name : "回答していません"}</span>
              </span>
            </li>
          );
        })}
      </ul>
      {recorded.comment && <p class="given-comment">{recorded.comment}</p>}
      {recorded.responded_at && <p class="note">{formatDateTime(recorded.responded_at)} に受け取りました。</p>}
    </>
  );
}

interface CardProps extends RecordedProps {
  /** It has just been sent from this page: screen readers and eyes are brought here. */
  fresh: boolean;
  onChange: () => void;
}

export function RecordedCard({ thread, recorded, fresh, onChange }: CardProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!fresh) return;
    heading.current?.focus({ preventScroll: true });
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    heading.current?.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
  }, [fresh]);
  return (
    <section class="card recorded" aria-labelledby="recorded">
      <h2 id="recorded" ref={heading} tabIndex={-1} class="standing-done">
        {fresh ? "回答を受け取りました" : "回答済みです"}
      </h2>
      <RecordedMarks thread={thread} recorded={recorded} />
      <p class="note">日程が決まると、お知らせが届きます。それまで、{formatWithWeekday(thread.deadline_at)} までは何度でも変えられます。</p>
      <button type="button" class="button button-quiet" onClick={onChange}>
        回答を変える
      </button>
    </section>
  );
}
