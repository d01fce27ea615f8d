import type { JSX } from "preact";
import { formatPeriod } from "../../../../kit/dates";
import type { Slot } from "../shapes";

interface DateProps {
  slot: Slot;
  /** It was added after this person had answered. */
  isNew: boolean;
}

/** When a slot is, what the organiser calls it, and how many have said that they can come, where that is shown. */
export function SlotDate({ slot, isNew }: DateProps): JSX.Element {
  return (
    <span class="slot-date">
      <time dateTime={slot.start_at}>{formatPeriod(slot.start_at, slot.end_at)}</time>
      {isNew && !slot.begun && <span class="slot-new">新しい候補日</span>}
      {slot.label && <span class="slot-label">{slot.label}</span>}
      <Others yes={slot.yes?.length ?? 0} maybe={slot.maybe?.length ?? 0} />
    </span>
  );
}

function Others({ yes, maybe }: { yes: number; maybe: number }): JSX.Element | null {
  const counts = [yes > 0 && `○ ${yes}人`, maybe > 0 && `△ ${maybe}人`].filter(Boolean);
  return counts.length > 0 ? <span class="slot-label">ほかの方：{counts.join("・")}</span> : null;
}
