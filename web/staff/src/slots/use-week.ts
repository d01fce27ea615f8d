import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Slot } from "../api/shapes";
import { useSession } from "../session/session";

const KEPT_MS = 30_000;

interface Week {
  /** Null while nothing is known of this week. */
  slots: readonly Slot[] | null;
  error: unknown;
  reload: () => void;
}

/** The slots of a week. A week that was seen a moment ago is shown at once, and asked for again when it is older. */
export function useWeek(week: readonly string[]): Week {
  const { api } = useSession();
  const first = week[0] ?? "";
  const last = week[6] ?? "";
  const [known, setKnown] = useState<Record<string, { slots: readonly Slot[]; at: number }>>({});
  const [failed, setFailed] = useState<{ week: string; error: unknown } | null>(null);
  const newest = useRef(0);

  const load = useCallback(() => {
    const mine = ++newest.current;
    api.slots(first, last).then(
      (slots) => {
        setKnown((before) => ({ ...before, [first]: { slots, at: Date.now() } }));
        if (mine === newest.current) setFailed(null);
      },
      (error: unknown) => mine === newest.current && setFailed({ week: first, error }),
    );
  }, [first]);

  useEffect(() => {
    if (Date.now() - (known[first]?.at ?? 0) > KEPT_MS) load();
    const again = () => document.visibilityState === "visible" && load();
    addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
    return () => {
      removeEventListener("online", again);
      document.removeEventListener("visibilitychange", again);
    };
  }, [load]);
  return { slots: known[first]?.slots ?? null, error: failed?.week === first ? failed.error : null, reload: load };
}
