import { endOfDayInJapan } from "../../../../api/times";
import { useReloadAt } from "../../use-reload-at";
import type { EventDetail } from "../shapes";

/** When the day of the event ends in Japan, the page says so, and may take no more answers. */
export function useReloadAfterDay(event: Pick<EventDetail, "held_at" | "over" | "cancelled"> | null, reload: () => void): void {
  const isToCome = event !== null && !event.over && !event.cancelled;
  useReloadAt(isToCome ? endOfDayInJapan(event.held_at) : null, event, reload);
}
