import { useEffect } from "preact/hooks";
import { endOfDayInJapan } from "../../../../api/times";
import type { EventDetail } from "../shapes";

const DAY_MS = 24 * 60 * 60 * 1000;
// The server decides whether the event is over, so the request leaves a little after midnight, not at it.
const MARGIN_MS = 5_000;

/**
 * Answers are taken until the day of the event ends in Japan. A page that stays open over that midnight asks the server
 * again, so that it does not go on offering what will be refused. Timers cannot be longer than some weeks, so a page
 * that stays open for days asks once a day.
 */
export function useReloadAfterDay(event: Pick<EventDetail, "held_at" | "over" | "cancelled"> | null, reload: () => void): void {
  useEffect(() => {
    if (event === null || event.over || event.cancelled) return;
    const left = endOfDayInJapan(event.held_at) + MARGIN_MS - Date.now();
    // By this device's clock the day is over and by the server's it is not. Asking again would only repeat that.
    if (!(left > 0)) return;
    const timer = setTimeout(reload, Math.min(left, DAY_MS));
    return () => clearTimeout(timer);
  }, [event, reload]);
}
