import { useEffect, useState } from "react";

/** Whole seconds until the deadline (milliseconds since the epoch), counted by the clock and not by ticks, which sleep with the tab. */
export function useCountdown(deadline: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  const left = deadline === null ? 0 : Math.max(0, Math.ceil((deadline - now) / 1000));
  const running = left > 0;
  useEffect(() => {
    if (deadline === null) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [deadline]);
  return running ? left : 0;
}
