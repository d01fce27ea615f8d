import { endOfDayInJapan } from "../../../../api/times";
import { useReloadAt } from "../../use-reload-at";
import type { EventDetail } from "../shapes";

/** Answers are taken until the day of the event ends in Japan. */
export function useReloadAfterDay(event: Pick<EventDetail, "held_at" | "over" | "cancelled"> | null, reload: () => void): void {
  const takesAnswers = event !== null && !event.over && !event.cancelled;
  useReloadAt(takesAnswers ? endOfDayInJapan(event.held_at) : null, event, reload);
}
