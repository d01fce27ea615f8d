import type { EventDetail } from "../shapes";

type Entry = Pick<EventDetail, "title" | "held_at" | "calendar_url">;

// LINE's own browser can neither download a file nor open a calendar; this parameter makes it hand over the address.
const OUTSIDE = "openExternalBrowser=1";
const HOUR_MS = 60 * 60 * 1000;

export function fileLink({ calendar_url }: Entry): string {
  return `${calendar_url}${calendar_url.includes("?") ? "&" : "?"}${OUTSIDE}`;
}

/** Only title and time: what else the event says is not for a third party. */
export function googleLink({ title, held_at }: Entry): string {
  const start = new Date(held_at);
  const dates = `${compact(start)}/${compact(new Date(start.getTime() + HOUR_MS))}`;
  const query = `action=TEMPLATE&text=${encodeURIComponent(title)}&dates=${dates}&ctz=Asia/Tokyo`;
  return `https://calendar.google.com/calendar/render?${query}&${OUTSIDE}`;
}

function compact(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}
