import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const MOST_ATTEMPTS = 3;
const WITHIN_MS = 30_000;

/** True when another log-in now would only go round in circles. `times` are the earlier ones, in milliseconds. */
export function isGoingRound(times: number[], now: number): boolean {
  return times.filter((time) => now - time < WITHIN_MS).length >= MOST_ATTEMPTS;
}

/**
 * Opens the LIFF address again when the page inside says that its log-in has run out. Only that page, on the
 * product's own origin, is listened to. Returns true once it asked so often that there is no point in more.
 */
export function useRelogin(frame: RefObject<HTMLIFrameElement | null>, productUrl: string, openAgain: () => void): boolean {
  const times = useRef<number[]>([]);
  const [goingRound, setGoingRound] = useState(false);
  const latest = useRef(openAgain);
  latest.current = openAgain;
  useEffect(() => {
    const productOrigin = new URL(productUrl).origin;
    const onMessage = (event: MessageEvent) => {
      if (event.origin !== productOrigin || event.source !== frame.current?.contentWindow) return;
      if ((event.data as { type?: unknown } | null)?.type !== "tsudoi:relogin") return;
      const round = isGoingRound(times.current, Date.now());
      setGoingRound(round);
      if (round) return;
      times.current = [...times.current, Date.now()];
      latest.current();
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, [productUrl, frame]);
  return goingRound;
}
