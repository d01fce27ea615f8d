import booking from "../booking/Booking.module.css";
import type { RecordItem } from "./queries";
import { STATE_NAMES, STATE_TONES } from "./words";

export function StateBadge({ state }: { state: RecordItem["state"] }) {
  return (
    <span className={booking.badge} data-tone={STATE_TONES[state]}>
      {STATE_NAMES[state]}
    </span>
  );
}
