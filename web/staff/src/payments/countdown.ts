import { useEffect, useState } from "preact/hooks";
import { formatDate, formatDateTime, formatRemaining } from "../../../api/times";
import { formatWithWeekday } from "../../../kit/dates";

/** Below this, seconds are shown: before, a number that changes all the time would only hurry people. */
const SECONDS_BELOW = 5 * 60;
/** When it is said aloud how much is left, in minutes. */
const SPOKEN_AT = [1, 5, 10] as const;

/** Above this, minutes do not matter. */
const HOURS_ABOVE = 2 * 60 * 60;

/** `あと23時間`, `あと32分`, and `あと4分30秒` towards the end. */
export function shownLeft(seconds: number): string {
  if (seconds > HOURS_ABOVE) return `あと${Math.floor(seconds / 3600)}時間`;
  return seconds >= SECONDS_BELOW ? `あと${Math.ceil(seconds / 60)}分` : `あと${formatRemaining(seconds)}`;
}

/** `10:35` for today, and with the day for later. */
export function deadlineText(until: string, now: Date = new Date()): string {
  return formatDate(until) === formatDate(now) ? formatDateTime(until).slice(-5) : formatWithWeekday(until);
}

/** What a screen reader says. It changes three times in all, so that nobody is talked to every second. */
export function spokenLeft(seconds: number): string {
  const minutes = SPOKEN_AT.find((mark) => seconds <= mark * 60);
  return minutes === undefined || seconds <= 0 ? "" : `お支払いの期限まで、あと${minutes}分です。`;
}

export function secondsUntil(instant: string, now: number = Date.now()): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - now) / 1000));
}

/** Seconds that are left, counted down. `onOver` is called once, when nothing is left. */
export function useCountdown(until: string, onOver: () => void): number {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    let over = secondsUntil(until) === 0;
    const look = () => {
      const found = secondsUntil(until);
      setLeft(found);
      if (found > 0 || over) return;
      over = true;
      onOver();
    };
    look();
    const timer = setInterval(look, 1000);
    // Timers stand still while a phone sleeps.
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [until]);
  return left;
}
