import type { JSX } from "preact";
import { formatPeriod } from "../../../../kit/dates";
import { Fold } from "../../../../kit/fold";
import { type Mark, MARKS, type Slot } from "../shapes";

const ORDER: readonly Mark[] = ["yes", "maybe", "no"];

/** What the others have said, where the thread shows it. */
export function OthersFold({ slots }: { slots: readonly Slot[] }): JSX.Element | null {
  if (!slots.some(({ yes }) => yes !== null)) return null;
  return (
    <Fold title="みなさんの回答">
      <ul class="others">
        {slots.map((slot) => (
          <li key={slot.slot_id}>
            <time dateTime={slot.start_at}>{formatPeriod(slot.start_at, slot.end_at)}</time>
            {ORDER.map((mark) => (
              <Names key={mark} mark={mark} names={slot[mark] ?? []} />
            ))}
            {ORDER.every((mark) => !slot[mark]?.length) && <p class="note">まだ回答がありません</p>}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function Names({ mark, names }: { mark: Mark; names: readonly string[] }): JSX.Element | null {
  if (names.length === 0) return null;
  return (
    <p>
      <span class={`sign sign-${mark}`} aria-hidden="true">
        {MARKS[mark].sign}
      </span>
      <span class="sr-only">{MARKS[mark].name}：</span>
      {names.join("、")}（{names.length}人）
    </p>
  );
}
