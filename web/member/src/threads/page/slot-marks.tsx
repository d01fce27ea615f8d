import type { JSX } from "preact";
import { allMarked, type Marks } from "../answers/marks";
import { type Mark, MARKS, type Slot, type ThreadDetail } from "../shapes";
import { SlotDate } from "./slot-date";

export interface ChoicesProps {
  thread: ThreadDetail;
  /** Those that can still be chosen. */
  slots: readonly Slot[];
  marks: Marks;
  onChoose: (marks: Marks) => void;
}

/** ○, △ or × for every slot. */
export function SlotMarks({ thread, slots, marks, onChoose }: ChoicesProps): JSX.Element {
  const offered: readonly Mark[] = thread.maybe_allowed ? ["yes", "maybe", "no"] : ["yes", "no"];
  const declined = slots.length > 0 && slots.every(({ slot_id }) => marks[slot_id] === "no");
  return (
    <>
      <p class="marks-key" aria-hidden="true">
        {offered.map((mark) => (
          <span key={mark}>
            {MARKS[mark].sign} {MARKS[mark].name}
          </span>
        ))}
      </p>
      {thread.slots.map((slot) => (
        <fieldset key={slot.slot_id} class={`slot slot-row ${slot.begun ? "slot-begun" : ""}`}>
          <legend>
            <SlotDate slot={slot} isNew={slot.answer === null && thread.selection.status !== "pending"} />
          </legend>
          {slot.begun ? (
            <p class="note">この候補日は過ぎました。</p>
          ) : (
            <div class="marks">
              {offered.map((mark) => (
                <MarkChoice
                  key={mark}
                  slotId={slot.slot_id}
                  mark={mark}
                  chosen={marks[slot.slot_id] === mark}
                  onChoose={() => onChoose({ ...marks, [slot.slot_id]: mark })}
                />
              ))}
            </div>
          )}
        </fieldset>
      ))}
      <button
        type="button"
        class={`button button-quiet none-of-them ${declined ? "none-chosen" : ""}`}
        aria-pressed={declined}
        onClick={() => onChoose(allMarked(slots, "no"))}
      >
        どの日も参加できない
      </button>
    </>
  );
}

interface MarkProps {
  slotId: string;
  mark: Mark;
  chosen: boolean;
  onChoose: () => void;
}

function MarkChoice({ slotId, mark, chosen, onChoose }: MarkProps): JSX.Element {
  const { sign, name } = MARKS[mark];
  return (
    <label class={`mark mark-${mark}`}>
      <input type="radio" name={`slot-${slotId}`} value={mark} checked={chosen} onChange={onChoose} />
      <span class="mark-face">
        <span class="mark-sign" aria-hidden="true">
          {sign}
        </span>
        <span class="sr-only">{name}</span>
      </span>
    </label>
  );
}
