/** What a person puts into the calendar. */
export interface CalendarEntry {
  title: string;
  start: string;
  /** An hour after the start, when nobody has said it. */
  end?: string;
  /** The address of the iCalendar file. */
  fileUrl: string;
}

// LINE's own browser can neither download a file nor open a calendar; this parameter makes it hand over the address.
const OUTSIDE = "openExternalBrowser=1";
const HOUR_MS = 60 * 60 * 1000;

export function fileLink({ fileUrl }: CalendarEntry): string {
  return `${fileUrl}${fileUrl.includes("?") ? "&" : "?"}${OUTSIDE}`;
}

/** Only title and time: what else is said is not for a third party. */
export function googleLink({ title, start, end }: CalendarEntry): string {
  const from = new Date(start);
  const until = end === undefined ? new Date(from.getTime() + HOUR_MS) : new Date(end);
  const query = `action=TEMPLATE&text=${encodeURIComponent(title)}&dates=${compact(from)}/${compact(until)}&ctz=Asia/Tokyo`;
  return `https://calendar.google.com/calendar/render?${query}&${OUTSIDE}`;
}

function compact(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}
