import type { Reservation } from "../api/shapes";
import { beginOf } from "../days";

type Entry = Pick<Reservation, "reservationTypeName" | "serviceDateLocal" | "startMinuteOfDay" | "durationMinutes">;

// LINE's own browser can neither download a file nor open a calendar; this parameter makes it hand over the address.
const OUTSIDE = "openExternalBrowser=1";

export function fileAddress(calendarUrl: string): string {
  return `${calendarUrl}${calendarUrl.includes("?") ? "&" : "?"}${OUTSIDE}`;
}

/** Only what and when: the rest is not for a third party. */
export function googleAddress(entry: Entry): string {
  const start = Date.parse(beginOf(entry));
  const dates = `${compact(start)}/${compact(start + entry.durationMinutes * 60_000)}`;
  const query = `action=TEMPLATE&text=${encodeURIComponent(entry.reservationTypeName)}&dates=${dates}&ctz=Asia/Tokyo`;
  return `https://calendar.google.com/calendar/render?${query}&${OUTSIDE}`;
}

function compact(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
}
