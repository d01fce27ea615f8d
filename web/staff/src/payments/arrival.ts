// The way back from Stripe's page. Its addresses say only what the person did there; whether it is paid, the server says.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { here } from "../../../kit/router";

export type Arrival = "paid" | "left" | null;

export function arrivalIn(search: string): Arrival {
  const query = new URLSearchParams(search);
  if (query.has("paid")) return "paid";
  return query.has("left") ? "left" : null;
}

/** How the person came, and how to forget it: a reload then shows the reservation as it is. */
export function useArrival(): [Arrival, () => void] {
  const [arrival, setArrival] = useState(() => arrivalIn(location.search));
  const forget = useCallback(() => {
    history.replaceState(here(), "", location.pathname);
    setArrival(null);
  }, []);
  return [arrival, forget];
}

const PAUSES_MS = [1000, 1000, 2000, 2000, 3000, 3000];
const LATER_PAUSE_MS = 5000;
const LOOKS = 16;

/** How long to wait before the next look; null: it has been asked for a minute, and a person should know. */
export function pauseBefore(look: number): number | null {
  return look < LOOKS ? (PAUSES_MS[look] ?? LATER_PAUSE_MS) : null;
}

/** Looks again and again while `wanted`. Returns whether it has given up, and how to begin again. */
export function useLooking(wanted: boolean, look: () => void): [boolean, () => void] {
  const [round, setRound] = useState(0);
  const [givenUp, setGivenUp] = useState(false);
  const current = useRef(look);
  current.current = look;
  useEffect(() => {
    if (!wanted) return;
    let count = 0;
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      const pause = pauseBefore(count);
      if (pause === null) return setGivenUp(true);
      timer = setTimeout(() => {
        count += 1;
        current.current();
        next();
      }, pause);
    };
    setGivenUp(false);
    next();
    return () => clearTimeout(timer);
  }, [wanted, round]);
  const again = useCallback(() => {
    current.current();
    setRound((before) => before + 1);
  }, []);
  return [wanted && givenUp, again];
}
