import type { JSX } from "preact";
import type { Slot } from "../api/shapes";
import { formatTimes } from "../days";
import { formatYen } from "../payments/money";
import { kindOf, seatsText } from "./slot-words";

interface SlotListProps {
  slots: readonly Slot[];
  /** Where all are of one type, its name need not stand in each row. */
  withType: boolean;
  /** The reservation that looks for another slot. Who only moves pays nothing more. */
  moving: number | null;
  onChoose: (slot: Slot) => void;
}

/** The slots of a day. Also one that cannot be booked can be tapped: it says why. */
export function SlotList({ slots, withType, moving, onChoose }: SlotListProps): JSX.Element {
  return (
    <ul class="slots" aria-label="予約枠">
      {slots.map((slot) => (
        <li key={slot.id}>
          <button type="button" class={`slot slot-${kindOf(slot, moving)}`} onClick={() => onChoose(slot)}>
            <span class="slot-words">
              <b>{formatTimes(slot)}</b>
              {withType && <span>{slot.reservationTypeName}</span>}
              {moving === null && slot.priceJpy !== null && <span class="slot-price">{formatYen(slot.priceJpy)}</span>}
              {slot.notes && <small>{slot.notes}</small>}
            </span>
            <span class="slot-seats">{seatsText(slot, moving)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
