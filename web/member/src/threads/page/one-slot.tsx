import type { JSX } from "preact";
import { allMarked } from "../answers/marks";
import { SlotDate } from "./slot-date";
import type { ChoicesProps } from "./slot-marks";

/** One slot for each person: a single choice between the slots, and none of them. */
export function OneSlot({ thread, slots, marks, onChoose }: ChoicesProps): JSX.Element {
  const nothing = allMarked(slots, "no");
  const declined = slots.length > 0 && slots.every(({ slot_id }) => marks[slot_id] === "no");
  return (
    <fieldset class="slot">
      <legend>参加する候補日を1つ選んでください</legend>
      <div class="slot-options">
        {thread.slots.map((slot) => (
          <label key={slot.slot_id} class={`mark mark-wide ${slot.begun ? "slot-begun" : ""}`}>
            <input
              type="radio"
              name="slot"
              value={slot.slot_id}
              disabled={slot.begun}
              checked={marks[slot.slot_id] === "yes"}
              onChange={() => onChoose({ ...nothing, [slot.slot_id]: "yes" })}
            />
            <span class="mark-face">
              <SlotDate slot={slot} isNew={slot.answer === null && thread.selection.status !== "pending"} />
              {slot.begun && <span class="note">過ぎました</span>}
            </span>
          </label>
        ))}
        <label class="mark mark-wide mark-no">
          <input type="radio" name="slot" value="" checked={declined} onChange={() => onChoose(nothing)} />
          <span class="mark-face">どの日も参加できない</span>
        </label>
      </div>
    </fieldset>
  );
}
