import { useEffect } from "preact/hooks";

const DAY_MS = 24 * 60 * 60 * 1000;
// The server decides whether the time is over, so the request leaves a little after it, not at it.
const MARGIN_MS = 5_000;

/**
 * A page that stays open over the moment when something closes asks the server again, so that it does not go on offering
 * what will be refused. Timers cannot be longer than some weeks, so a page that stays open for days asks once a day.
 * `shown` is what the page shows: something new starts the waiting anew.
 */
export function useReloadAt(at: number | null, shown: unknown, reload: () => void): void {
  useEffect(() => {
    if (at === null) return;
    const left = at + MARGIN_MS - Date.now();
    // By this device's clock the time is over and by the server's it is not. Asking again would only repeat that.
    if (!(left > 0)) return;
    const timer = setTimeout(reload, Math.min(left, DAY_MS));
    return () => clearTimeout(timer);
  }, [at, shown, reload]);
}
